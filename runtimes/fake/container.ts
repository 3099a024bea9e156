import type { ContainerFacts, ContainerSpec, ExecRequest, PresentContainer, SpecPart } from '../runtime';

/** A program that runs in a container; scripted execs make and end them. */
export interface FakeProcess {
  readonly pid: number;
  readonly request: ExecRequest;
}

/** One container of the fake engine. Tests read it and act on it from outside through `FakeEngine`. */
export class FakeContainer {
  running = false;
  paused = false;
  startedAt: string | undefined;
  exitCode: number | undefined;
  oomKilled = false;
  /** How often it was started: a restart shows even where nothing else differs. */
  starts = 0;
  /** While false, no program that is run in it comes to its end, as where its shell was replaced. */
  answers = true;
  /** As it was made, until somebody renames it. */
  name: string;
  readonly processes = new Map<number, FakeProcess>();
  #lastPid = 1;

  constructor(
    readonly id: string,
    readonly spec: ContainerSpec,
    readonly imageEnvironment: Readonly<Record<string, string>>,
  ) {
    this.name = spec.name;
  }

  begin(at: string): void {
    this.running = true;
    this.startedAt = at;
    this.exitCode = undefined;
    this.oomKilled = false;
    this.starts += 1;
  }

  /** Ends it and everything that runs in it. */
  end(exitCode: number, oomKilled = false): void {
    this.running = false;
    this.paused = false;
    this.exitCode = exitCode;
    this.oomKilled = oomKilled;
    this.processes.clear();
  }

  /** Adds a process and returns its pid. */
  spawn(request: ExecRequest): number {
    this.#lastPid += 1;
    this.processes.set(this.#lastPid, { pid: this.#lastPid, request });
    return this.#lastPid;
  }

  hasLabels(labels: Readonly<Record<string, string>>): boolean {
    return Object.entries(labels).every(([key, value]) => this.spec.labels[key] === value);
  }

  /** As `observe` reports it; parts in `notEchoed` are left out of the facts, as some engines do. */
  present(notEchoed: readonly SpecPart[]): PresentContainer {
    return {
      present: true,
      id: this.id,
      name: this.name,
      labels: this.spec.labels,
      running: this.running,
      paused: this.paused,
      oomKilled: this.oomKilled,
      ...(this.startedAt === undefined ? {} : { startedAt: this.startedAt }),
      ...(this.running || this.exitCode === undefined ? {} : { exitCode: this.exitCode }),
      facts: this.#facts(notEchoed),
    };
  }

  #facts(notEchoed: readonly SpecPart[]): ContainerFacts {
    const { spec } = this;
    const parts: Omit<ContainerFacts, 'imageId'> = {
      command: spec.command,
      user: `${spec.user.uid}:${spec.user.gid}`,
      mounts: spec.mounts.map(({ type, source, target, readOnly }) => ({ type, source, target, readOnly })),
      limits: spec.limits,
      network: spec.network,
      environment: { ...this.imageEnvironment, ...spec.environment },
      ports: spec.ports,
      security: spec.security,
      restart: spec.restart,
    };
    const echoed = Object.entries(parts).filter(([part]) => !notEchoed.some((name) => name === part));
    return { imageId: spec.imageId, ...Object.fromEntries(echoed) };
  }
}
