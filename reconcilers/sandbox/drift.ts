import type { DriftStatus, SandboxReason } from '../../crds/sandbox';
import { formatMemory } from '../../crds/units';
import { hashLabel, LABELS } from '../../runtimes/labels';
import {
  SPEC_PARTS,
  type ContainerFacts,
  type ContainerSpec,
  type EngineProbe,
  type ImageState,
  type PresentContainer,
  type SpecPart,
} from '../../runtimes/runtime';
import { hashOf } from '../shared/hash';
import { HASH_VERSION, partOf } from './spec';

const REASONS: Readonly<Record<SpecPart, SandboxReason<'UpToDate'>>> = {
  image: 'ImageChanged',
  command: 'CommandChanged',
  user: 'UserChanged',
  mounts: 'MountsChanged',
  limits: 'LimitsChanged',
  network: 'NetworkChanged',
  environment: 'EnvironmentChanged',
  ports: 'PortsChanged',
  security: 'SecurityChanged',
  restart: 'RestartPolicyChanged',
};

export interface DriftInput {
  readonly container: PresentContainer;
  readonly spec: ContainerSpec;
  readonly probe: EngineProbe;
  /** The image the container was made from, when it is still there: its own variables are no difference. */
  readonly image: ImageState | undefined;
}

/**
 * Where the live container differs from the spec, part by part. Compared as sets with what the engine reports; a part
 * that this engine doesn't echo is decided by the hash in the container's label.
 */
export function driftOf(input: DriftInput): readonly DriftStatus[] {
  return SPEC_PARTS.flatMap((part) => {
    const echoed = input.probe.notEchoed.includes(part) ? undefined : ECHOED[part](input.container.facts, input);
    const drift = echoed ? compare(part, echoed, DECLARED[part](input.spec)) : byHash(part, input);
    return drift ? [drift] : [];
  });
}

/** The one reason that stands for all differences. */
export function driftReason(drift: readonly DriftStatus[]): SandboxReason<'UpToDate'> {
  const [first, ...more] = drift;
  if (!first) return 'UpToDate';
  return more.length > 0 ? 'MultipleChanges' : first.reason;
}

/** A part as a set of readable entries, so that order never matters and a difference can be shown. */
type Entries = readonly string[];

function compare(part: SpecPart, running: Entries, declared: Entries): DriftStatus | undefined {
  const gone = running.filter((entry) => !declared.includes(entry));
  const fresh = declared.filter((entry) => !running.includes(entry));
  if (gone.length === 0 && fresh.length === 0) return undefined;
  return { part, reason: REASONS[part], running: shown(part, gone), declared: shown(part, fresh) };
}

/** Values of variables are nobody's to read in a status: their names say enough. */
function shown(part: SpecPart, entries: Entries): string {
  const texts = part === 'environment' ? entries.map((entry) => entry.split('=')[0] ?? '') : entries;
  return texts.toSorted().join(', ');
}

function byHash(part: SpecPart, { container, spec }: DriftInput): DriftStatus | undefined {
  const { labels } = container;
  if (labels[LABELS.hashVersion] !== HASH_VERSION) return undefined;
  if (labels[hashLabel(part)] === hashOf(partOf(spec, part))) return undefined;
  return { part, reason: REASONS[part], running: 'as it was created', declared: shown(part, DECLARED[part](spec)) };
}

const DECLARED: Readonly<Record<SpecPart, (spec: ContainerSpec) => Entries>> = {
  image: (spec) => [spec.imageId],
  command: (spec) => [spec.command.join(' ')],
  user: (spec) => [`${spec.user.uid}:${spec.user.gid}`],
  mounts: (spec) => spec.mounts.map(mountEntry),
  limits: (spec) => limitEntries(spec.limits),
  network: (spec) => [spec.network],
  environment: (spec) => environmentEntries(spec.environment),
  ports: (spec) => spec.ports.map(portEntry),
  security: (spec) => securityEntries(spec.security),
  restart: (spec) => [spec.restart],
};

/** Undefined where the engine says nothing of the part. */
const ECHOED: Readonly<Record<SpecPart, (facts: ContainerFacts, input: DriftInput) => Entries | undefined>> = {
  image: (facts) => [facts.imageId],
  command: (facts) => facts.command && [facts.command.join(' ')],
  user: (facts) => (facts.user === undefined ? undefined : [facts.user]),
  mounts: (facts) => facts.mounts?.map(mountEntry),
  limits: (facts) => facts.limits && limitEntries(facts.limits),
  network: (facts) => (facts.network === undefined ? undefined : [facts.network]),
  environment: (facts, { spec, image }) => facts.environment && environmentEntries(withoutImage(facts, spec, image)),
  ports: (facts) => facts.ports?.map(portEntry),
  security: (facts) => facts.security && securityEntries(facts.security),
  restart: (facts) => (facts.restart === undefined ? undefined : [facts.restart]),
};

function mountEntry({ type, source, target, readOnly }: NonNullable<ContainerFacts['mounts']>[number]): string {
  return `${type} ${source} at ${target} ${readOnly ? 'read-only' : 'writable'}`;
}

function limitEntries(limits: ContainerSpec['limits']): Entries {
  return Object.entries(limits).map(([name, value]: [string, number]) => {
    return name.endsWith('Bytes') ? `${name.slice(0, -'Bytes'.length)}=${formatMemory(value)}` : `${name}=${value}`;
  });
}

function environmentEntries(environment: Readonly<Record<string, string>>): Entries {
  return Object.entries(environment).map(([name, value]) => `${name}=${value}`);
}

/** Variables that the image sets and nobody overrode are in every container and no difference. */
function withoutImage(
  { environment = {} }: ContainerFacts,
  spec: ContainerSpec,
  image: ImageState | undefined,
): Record<string, string> {
  const own = Object.entries(environment).filter(
    ([name, value]) => name in spec.environment || image?.environment[name] !== value,
  );
  return Object.fromEntries(own);
}

function portEntry({ hostAddress, hostPort, containerPort }: ContainerSpec['ports'][number]): string {
  return `${hostAddress}:${hostPort}->${containerPort}`;
}

function securityEntries(security: ContainerSpec['security']): Entries {
  const { noNewPrivileges, privileged, capDrop, capAdd } = security;
  return [
    `no-new-privileges=${noNewPrivileges}`,
    `privileged=${privileged}`,
    ...capDrop.map((name) => `drop ${name}`),
    ...capAdd.map((name) => `add ${name}`),
  ];
}
