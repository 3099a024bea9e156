import type { ProcessState, SessionObserved } from './types';

/**
 * Until the session service owns processes, a session is a plain one started by the engine's exec, and these shell
 * scripts keep what is to be known of it in memory that ends with the container's run. A session may write there too:
 * what it leaves must neither hold the scripts up nor lead them elsewhere. It can only lie about itself.
 */
const DIRECTORY = '/dev/shm/berth-';

/** Longer than any record: what is behind that was not written by `START`. */
const RECORD_BYTES = 128;

/** Seconds after which the scripts are ended from inside, which the controller's own patience outlasts. */
const LOOK_SECONDS = 3;
const STOP_SECONDS = 10;

/** Names a process beyond its id, which is used again: the time it started, in ticks since boot. */
const STARTED = "cut -d' ' -f22 /proc/$pid/stat 2>/dev/null";

/**
 * Shell functions over the directory $d. What is no plain file, or does not look as `START` writes it, is not there.
 * Something else may be put in the place of a file after it was looked at, which only the time of the script bounds.
 */
const RECORD = `
real() { [ -d "$d" ] && [ ! -L "$d" ]; }
top() { [ -f "$d/$1" ] && [ ! -L "$d/$1" ] && head -c ${RECORD_BYTES} "$d/$1" 2>/dev/null; }
number() { case $1 in *[!0-9]*|0?*|'') return 1 ;; esac; [ \${#1} -le "$2" ]; }
name() { case $1 in *[!0-9a-z-]*|-*|'') return 1 ;; esac; [ \${#1} -le 64 ]; }
record() {
  run='' pid='' started=''
  real || return 1
  { read -r run; read -r pid started; } <<END
$(top process)
END
  name "$run" && number "$pid" 10 && [ "$pid" != 0 ] && number "$started" 20
}
`;

/** Arguments: session uid, run, then the command. One process a run, however often it is asked for. */
const START = `
d=${DIRECTORY}$1; run=$2; shift 2
mask=$(umask)
umask 077
if [ -L "$d" ] || { [ -e "$d" ] && [ ! -d "$d" ]; }; then rm -f "$d"; fi
mkdir "$d" 2>/dev/null
mkdir "$d/run-$run" 2>/dev/null || exit 0
rm -rf "$d/exit" "$d/process" "$d/process.new"
pid=$$
set -C
printf '%s\\n%s %s\\n' "$run" "$pid" "$(${STARTED})" > "$d/process.new" && mv "$d/process.new" "$d/process" || exit 1
umask "$mask"
"$@"
code=$?
umask 077
rm -rf "$d/exit"
printf '%s\\n' "$code" > "$d/exit"
`;

/**
 * Arguments: session uid, program. Prints one \`name value\` a line, and \`end\` when that is all: without it nothing is
 * known. A run that was begun and has no record was begun a moment ago, or has lost it; it is not begun again.
 */
const LOOK = `
d=${DIRECTORY}$1
command -v "$2" >/dev/null 2>&1 && echo found yes || echo found no
${RECORD}
begun() { run=''; real || return 1; for each in "$d"/run-*; do [ -d "$each" ] && run=\${each##*/run-}; done; name "$run"; }
if record || { begun && sleep 0.2 && record; }; then
  echo "run $run"
  [ "$(${STARTED})" = "$started" ] && echo "pid $pid"
  code=$(top exit)
  number "$code" 3 && echo "exit $code"
elif begun; then
  echo "run $run"
fi
echo end
`;

/**
 * Argument: session uid. Ends the process and all of its terminal's, and forgets the run. Three seconds are for each of
 * them, not for the shell that started them: that one goes at the first signal. Fails when something is left.
 */
const STOP = `
d=${DIRECTORY}$1
${RECORD}
left() { ps -o stat=,pid= -s "$pid" | while read -r state id; do case $state in Z*) ;; *) echo "$id" ;; esac; done; }
if record && [ "$(${STARTED})" = "$started" ]; then
  kill -HUP $(left) 2>/dev/null
  kill -TERM $(left) 2>/dev/null
  n=0; while [ -n "$(left)" ] && [ $n -lt 30 ]; do sleep 0.1; n=$((n+1)); done
  kill -KILL $(left) 2>/dev/null
fi
rm -rf "$d"
[ ! -e "$d" ] && [ ! -L "$d" ]
`;

function shell(script: string, args: readonly string[]): readonly string[] {
  return ['/bin/sh', '-c', script, 'berth', ...args];
}

/** Where the image has a `timeout` that knows how to kill, the script is run under it. The script itself is $0. */
function bounded(seconds: number, script: string, args: readonly string[]): readonly string[] {
  const run = '/bin/sh -c "$0" berth "$@"';
  const outer = `timeout -k 1 1 true 2>/dev/null && exec timeout -k 1 ${seconds} ${run}; exec ${run}`;
  return ['/bin/sh', '-c', outer, script, ...args];
}

export function startCommand(uid: string, run: string, command: readonly string[]): readonly string[] {
  return shell(START, [uid, run, ...command]);
}

export function lookCommand(uid: string, program: string): readonly string[] {
  return bounded(LOOK_SECONDS, LOOK, [uid, program]);
}

export function stopCommand(uid: string): readonly string[] {
  return bounded(STOP_SECONDS, STOP, [uid]);
}

/** Reads what `lookCommand` printed; undefined when it did not come to its end, which is not the same as no process. */
export function readLook(output: string): SessionObserved | undefined {
  const lines = output.split('\n').map((line) => line.split(' '));
  const values = new Map(lines.map(([name = '', value = '']) => [name, value]));
  if (!values.has('end')) return undefined;
  const found = values.get('found');
  return { process: processOf(values), ...(found === undefined ? {} : { agentFound: found === 'yes' }) };
}

/** As `desired.ts` names them: the time of a restart, then a hash. */
const RUN = /^\d{1,16}-[0-9a-z]{1,64}$/;

function processOf(values: ReadonlyMap<string, string>): ProcessState {
  const run = values.get('run');
  if (run === undefined || !RUN.test(run)) return { state: 'None' };
  const pid = Number(values.get('pid'));
  if (Number.isInteger(pid) && pid > 0 && !values.has('exit')) return { state: 'Running', run, pid };
  const exitCode = Number(values.get('exit') ?? NaN);
  return { state: 'Exited', run, ...(Number.isInteger(exitCode) ? { exitCode } : {}) };
}
