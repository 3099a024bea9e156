/** How a long operation stands. `progress` is whatever it last told; a failure keeps its error until it is cleared. */
export type TaskState<Progress = unknown> =
  | { readonly state: 'absent' }
  | { readonly state: 'running'; readonly progress: Progress | undefined }
  | { readonly state: 'failed'; readonly error: unknown }
  | { readonly state: 'done' };

export type TaskBody<Progress> = (context: {
  readonly signal: AbortSignal;
  readonly progress: (value: Progress) => void;
}) => Promise<void>;

interface Task {
  state: TaskState;
  readonly abort: AbortController;
}

/**
 * Long work beside the passes (a pull, an archive to load), after Cluster API's Docker task manager. A pass asks and
 * goes on; progress and the end only wake whoever waits. Memory only: after a restart the next pass finds the work
 * still to do and starts it again.
 */
export class Tasks {
  readonly #tasks = new Map<string, Task>();

  /** Starts `run` unless a task of this id stands already, and says how it stands. Never waits. */
  ensure<Progress>(id: string, run: TaskBody<Progress>, wake: () => void): TaskState<Progress> {
    const standing = this.#tasks.get(id);
    if (standing) return standing.state as TaskState<Progress>;
    const task: Task = { state: { state: 'running', progress: undefined }, abort: new AbortController() };
    this.#tasks.set(id, task);
    const end = (state: TaskState): void => {
      task.state = state;
      wake();
    };
    void run({
      signal: task.abort.signal,
      progress: (progress) => {
        end({ state: 'running', progress });
      },
    }).then(
      () => {
        end({ state: 'done' });
      },
      (error: unknown) => {
        end({ state: 'failed', error });
      },
    );
    return task.state as TaskState<Progress>;
  }

  peek(id: string): TaskState {
    return this.#tasks.get(id)?.state ?? { state: 'absent' };
  }

  /** Forgets a task, ending it when it still runs: the next `ensure` starts afresh. */
  clear(id: string): void {
    this.#tasks.get(id)?.abort.abort();
    this.#tasks.delete(id);
  }

  close(): void {
    for (const id of [...this.#tasks.keys()]) this.clear(id);
  }
}
