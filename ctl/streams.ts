import { fstatSync, writeFileSync } from 'node:fs';
import { isatty } from 'node:tty';
import { errnoOf } from '../host/errno';
import type { ExitCode } from './context';
import { report } from './errors';
import { type Output, OutputError } from './output';

type Stream = Pick<NodeJS.WritableStream, 'write'>;

/** What a shell says of a program that SIGPIPE ended, as it ends kubectl. Node itself ignores that signal. */
const READER_GONE = 128 + 13;

/** A write that fails throws an OutputError, or ends the process where it fails later or whoever read has gone. */
export function standardOutput({ stderr, end }: { stderr: Output; end: (code: ExitCode) => void }): Stream {
  return streamOf(1, (error) => {
    end(errnoOf(error) === 'EPIPE' ? READER_GONE : report({ stderr }, new OutputError(error)));
  });
}

/** When there is nowhere to tell what is wrong, what was asked for is done all the same. */
export function standardError(): Stream {
  const stream = streamOf(2, () => undefined);
  return {
    write: (text: string) => {
      try {
        return stream.write(text);
      } catch {
        return false;
      }
    },
  };
}

/**
 * Files are written here, since node takes a write that a full disk cut short for a whole one. Node makes each standard
 * stream when it is first touched, which takes milliseconds; most runs need one of them.
 */
function streamOf(fd: 1 | 2, onError: (error: Error) => void): Stream {
  let stream: NodeJS.WritableStream | undefined;
  return {
    write: (text: string) => {
      if (stream === undefined && isFile(fd)) return writeFile(fd, text);
      stream ??= (fd === 1 ? process.stdout : process.stderr).on('error', onError);
      return stream.write(text);
    },
  };
}

function writeFile(fd: number, text: string): true {
  try {
    writeFileSync(fd, text);
    return true;
  } catch (error) {
    throw new OutputError(error);
  }
}

function isFile(fd: number): boolean {
  const stats = fstatSync(fd);
  return stats.isFile() || (stats.isCharacterDevice() && !isatty(fd));
}
