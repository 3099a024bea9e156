import type { ApiClient } from '../controller/api/client';
import type { Clock } from '../controller/clock';
import type { Home } from '../controller/home';
import type { Output } from './output';

/** How a controller is started: by this program, with these variables. */
export interface ControllerProgram {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
}

/** All that a verb may touch. */
export interface Context {
  readonly stdout: Output;
  readonly stderr: Output;
  readonly client: ApiClient;
  readonly clock: Clock;
  readonly home: Home;
  readonly program: ControllerProgram;
  /** Of ctl itself. */
  readonly version: string;
  /** Asks a person; absent when nobody sits at the terminal. */
  readonly confirm?: (question: string) => Promise<boolean>;
  /** Aborts what would go on for ever. */
  readonly signal: AbortSignal;
}

/** 0 when all that was asked for was done. */
export type ExitCode = number;
