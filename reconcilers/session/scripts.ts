import type { ProcessState, SessionObserved } from './types';

/**
 * Until the session service owns processes, a session is a plain one started by the engine's exec, and these shell
 * scripts keep what is to be known of it in memory that ends with the container's run. A session could write there
 * too; it would only lie about itself.
 */
const DIRECTORY = '/dev/shm/berth-';

/** Names a process beyond its id, which is used again: the time it started, in ticks since boot. */
const STARTED = "cut -d' ' -f22 /proc/$pid/stat 2>/dev/null";

/** Arguments: session uid, run, then the command. One process a run, however often it is asked for. */
const START = `
d=${DIRECTORY}$1; run=$2; shift 2
umask 077
mkdir -p "$d" && mkdir "$d/run-$run" 2>/dev/null || exit 0
rm -f "$d/exit"
pid=$$
printf '%s\\n%s %s\\n' "$run" "$pid" "$(${STARTED})" > "$d/process.new" && mv "$d/process.new" "$d/process"
"$@"
printf '%s\\n' "$?" > "$d/exit"
`;

/** Arguments: session uid, program. Prints one \`name value\` a line. */
const LOOK = `
d=${DIRECTORY}$1
command -v "$2" >/dev/null 2>&1 && echo found yes || echo found no
[ -r "$d/process" ] || exit 0
{ read -r run; read -r pid started; } < "$d/process"
echo "run $run"
[ "$(${STARTED})" = "$started" ] && echo "pid $pid"
[ -r "$d/exit" ] && { read -r code < "$d/exit"; echo "exit $code"; }
exit 0
`;

/**
 * Argument: session uid. Ends the process and all of its terminal's, and forgets the run. Three seconds are for each of
 * them, not for the shell that started them: that one goes at the first signal.
 */
const STOP = `
d=${DIRECTORY}$1
[ -r "$d/process" ] || exit 0
{ read -r run; read -r pid started; } < "$d/process"
alive() { [ "$(${STARTED})" = "$started" ]; }
left() { ps -o stat=,pid= -s "$pid" | while read -r state id; do case $state in Z*) ;; *) echo "$id" ;; esac; done; }
if alive; then
  kill -HUP $(left) 2>/dev/null
  kill -TERM $(left) 2>/dev/null
  n=0; while [ -n "$(left)" ] && [ $n -lt 30 ]; do sleep 0.1; n=$((n+1)); done
  kill -KILL $(left) 2>/dev/null
fi
rm -rf "$d"
`;

function shell(script: string, args: readonly string[]): readonly string[] {
  return ['/bin/sh', '-c', script, 'berth', ...args];
}

export function startCommand(uid: string, run: string, command: readonly string[]): readonly string[] {
  return shell(START, [uid, run, ...command]);
}

export function lookCommand(uid: string, program: string): readonly string[] {
  return shell(LOOK, [uid, program]);
}

export function stopCommand(uid: string): readonly string[] {
  return shell(STOP, [uid]);
}

/** Reads what `lookCommand` printed; anything it can't make sense of is no process. */
export function readLook(output: string): SessionObserved {
  const lines = output.split('\n').map((line) => line.split(' '));
  const values = new Map(lines.map(([name = '', value = '']) => [name, value]));
  const found = values.get('found');
  return { process: processOf(values), ...(found === undefined ? {} : { agentFound: found === 'yes' }) };
}

function processOf(values: ReadonlyMap<string, string>): ProcessState {
  const run = values.get('run');
  if (run === undefined) return { state: 'None' };
  const pid = Number(values.get('pid'));
  if (Number.isInteger(pid) && pid > 0 && !values.has('exit')) return { state: 'Running', run, pid };
  const exitCode = Number(values.get('exit') ?? NaN);
  return { state: 'Exited', run, ...(Number.isInteger(exitCode) ? { exitCode } : {}) };
}
