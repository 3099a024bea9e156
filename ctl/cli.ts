import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import { refuseUnprintable } from './arguments';
import type { Context, ExitCode } from './context';
import { report } from './errors';
import { FORMATS, type GetOptions } from './query';
import { apiResources, version } from './verbs/about';
import { approve } from './verbs/approve';
import { run as runController, start as startController } from './verbs/controller-start';
import { status as controllerStatus, stop as stopController } from './verbs/controller-status';
import { type DeleteOptions, remove } from './verbs/delete';
import { describe } from './verbs/describe';
import { get } from './verbs/get';
import { restart } from './verbs/restart';

const TARGETS = 'TYPE NAME… or TYPE/NAME…; "ctl api-resources" lists the types';

/** Runs one command line to its exit code; everything that goes wrong has been told by then. */
export async function runCli(args: readonly string[], context: Context): Promise<ExitCode> {
  let code: ExitCode = 0;
  const program = createProgram(context, (result) => {
    code = result;
  });
  try {
    refuseUnprintable(args);
    await program.parseAsync(args, { from: 'user' });
    return code;
  } catch (error) {
    // Commander has printed its own by itself; help that was asked for ends with 0.
    if (error instanceof CommanderError) return error.exitCode;
    return report(context, error);
  }
}

type End = (code: ExitCode) => void;

function createProgram(context: Context, end: End): Command {
  const program = new Command('ctl')
    .description('Shows and steers the sandboxes and sessions that your manifests declare.')
    .exitOverride()
    .helpCommand(true)
    .showHelpAfterError('("ctl --help" lists what there is)')
    .configureOutput({
      writeOut: (text) => {
        context.stdout.write(text);
      },
      writeErr: (text) => {
        context.stderr.write(text);
      },
    });
  addReaders(program, context, end);
  addChangers(program, context, end);
  addController(program, context, end);
  return program;
}

function addReaders(program: Command, context: Context, end: End): void {
  program
    .command('get')
    .description('List objects: TYPE[,TYPE] [NAME…], TYPE/NAME…, or all.')
    .argument('[targets...]', 'types and names')
    .addOption(new Option('-o, --output <format>', 'how to print').choices(FORMATS))
    .option('-l, --selector <selector>', 'only objects with these labels, such as team=shop,!old')
    .option('-w, --watch', 'go on with a line for each change')
    .option('--no-headers', 'leave out the header line')
    .option('--show-labels', 'add a column with all labels')
    .action(async (targets: string[], options: GetOptions) => {
      end(await get(context, targets, options));
    });
  program
    .command('describe')
    .description('Show everything about objects, with their conditions, differences and events.')
    .argument('[targets...]', TARGETS)
    .action(async (targets: string[]) => {
      end(await describe(context, targets));
    });
  program
    .command('api-resources')
    .description('List the types.')
    .action(() => {
      end(apiResources(context));
    });
  program
    .command('version')
    .description('Show the version of ctl and of the controller.')
    .action(async () => {
      end(await version(context));
    });
}

function addChangers(program: Command, context: Context, end: End): void {
  program
    .command('restart')
    .description('Restart sandboxes and sessions as they are declared now.')
    .argument('[targets...]', TARGETS)
    .action(async (targets: string[]) => {
      end(await restart(context, targets));
    });
  const remover = program.command('delete').description('Delete objects, whatever runs; says what stops.');
  withDeleteOptions(remover).action(async (targets: string[], options: DeleteOptions) => {
    end(await remove(context, targets, options));
  });
  const approver = program.command('approve').description('Let go of objects that are held without a manifest.');
  withDeleteOptions(approver).action(async (targets: string[], options: DeleteOptions) => {
    end(await approve(context, targets, options));
  });
}

function withDeleteOptions(command: Command): Command {
  return command
    .argument('[targets...]', TARGETS)
    .option('-y, --yes', 'do not ask', false)
    .addOption(new Option('--wait [wait]', 'return when they are gone').default(true).argParser(parseBoolean))
    .option('--no-wait', 'return at once')
    .option('--timeout <duration>', 'how long to wait, such as 90s or 5m; 0 is for ever', parseTimeout, 0);
}

function addController(program: Command, context: Context, end: End): void {
  const controller = program.command('controller').description('Run the controller that keeps everything as declared.');
  const verbs: readonly (readonly [string, string, (context: Context) => Promise<ExitCode>])[] = [
    ['run', 'Run it here until it is interrupted.', runController],
    ['start', 'Start it in the background.', startController],
    ['stop', 'Stop it; sandboxes and sessions go on.', stopController],
    ['status', 'Show which one runs; fails when none does.', controllerStatus],
  ];
  for (const [name, description, verb] of verbs) {
    controller
      .command(name)
      .description(description)
      .action(async () => {
        end(await verb(context));
      });
  }
}

function parseBoolean(text: string): boolean {
  if (text === 'true' || text === 'false') return text === 'true';
  throw new InvalidArgumentError('It is true or false.');
}

const UNIT_SECONDS: Readonly<Record<string, number>> = { '': 1, s: 1, m: 60, h: 3600 };

function parseTimeout(text: string): number {
  const [, count, unit] = /^(\d{1,6})([smh]?)$/.exec(text) ?? [];
  const seconds = UNIT_SECONDS[unit ?? 'none'];
  if (count === undefined || seconds === undefined) throw new InvalidArgumentError('It is a time such as 90s or 5m.');
  return Number(count) * seconds;
}
