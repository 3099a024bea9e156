import type { PassReport, StatusDraft } from '../../controller/pass-reconciler';
import type { ConditionDraft, ConditionStatus } from '../../crds/conditions';
import type {
  ExitStatus,
  SESSION_CONDITIONS,
  SessionConditionType,
  SessionReason,
  SessionStatus,
} from '../../crds/session';
import { acceptedCondition } from '../shared/accepted';
import { causeOf } from '../shared/failure';
import { isOutOfDate, isSeen } from './guards';
import type { SessionDesired, SessionObserved } from './types';

type Draft = ConditionDraft<typeof SESSION_CONDITIONS>;
type Report = PassReport<SessionDesired, SessionObserved>;

export function sessionStatus(report: Report): StatusDraft<typeof SESSION_CONDITIONS> {
  const { desired } = report;
  return {
    conditions: [accepted(desired), ready(report), agentAvailable(report), workspaceReady(desired), upToDate(report)],
    fields: fields(report),
  };
}

function draft<Type extends SessionConditionType>(
  type: Type,
  status: ConditionStatus,
  reason: SessionReason<Type>,
  message: string,
): Draft {
  return { type, status, reason, message };
}

function fields({ desired, observed, object, at }: Report): Partial<SessionStatus> {
  const { project, agent, command } = desired;
  const before = object.status as SessionStatus | undefined;
  return {
    project,
    agent,
    command,
    ...placeFields(desired, observed),
    ...(observed ? processFields(observed, before, at) : {}),
  };
}

/** Where it runs, which need not be where it would be started now. */
function placeFields(
  { placement, sandbox, target }: SessionDesired,
  observed: SessionObserved | null,
): Partial<SessionStatus> {
  if (observed?.elsewhere) {
    const { elsewhere } = observed;
    return { placement: 'Sandbox', sandbox: elsewhere.sandbox, workdir: elsewhere.workdir };
  }
  if (placement === 'Host') return { placement };
  return { placement, sandbox, ...(target?.workdir === undefined ? {} : { workdir: target.workdir }) };
}

/** Times are those at which it was first seen so: nobody else knows when a plain process ended. */
function processFields(
  { process }: SessionObserved,
  before: SessionStatus | undefined,
  at: string,
): Partial<SessionStatus> {
  if (process.state === 'None') return {};
  if (!isSeen(process)) return lastSeen(before);
  if (process.state === 'Running') {
    const startedAt = before?.pid === process.pid ? (before.startedAt ?? at) : at;
    return { pid: process.pid, startedAt };
  }
  return { exit: exitOf(process.exitCode, before?.exit?.at ?? at) };
}

function exitOf(code: number | undefined, at: string): ExitStatus {
  return { ...(code === undefined ? {} : { code }), at };
}

/** It may run still: what was last seen of it stays. */
function lastSeen({ pid, startedAt, exit }: Partial<SessionStatus> = {}): Partial<SessionStatus> {
  return {
    ...(pid === undefined ? {} : { pid }),
    ...(startedAt === undefined ? {} : { startedAt }),
    ...(exit ? { exit } : {}),
  };
}

function accepted({ deleting, manifest, blocked }: SessionDesired): Draft {
  const refused =
    blocked && isRefusal(blocked.reason) ? { reason: blocked.reason, message: blocked.message } : undefined;
  return acceptedCondition({ deleting, manifest, ...(refused ? { refused } : {}) });
}

function isRefusal(reason: string): reason is 'ReferenceNotFound' | 'NotSupportedYet' | 'NameConflict' {
  return ['ReferenceNotFound', 'NotSupportedYet', 'NameConflict'].includes(reason);
}

function ready(report: Report): Draft {
  const { desired, observed, effect, error } = report;
  if (desired.deleting) return draft('Ready', 'False', 'Terminating', terminating(report));
  if (isInterrupted(report)) return draft('Ready', 'False', 'SandboxNotReady', `Sandbox ${desired.sandbox} restarts.`);
  const unseen = unseenIn(report);
  if (unseen) return draft('Ready', ...unseen);
  if (report.ending === 'failed') return failed(effect, error);
  if (effect === 'starting') return draft('Ready', 'False', 'Starting', 'The session is being started.');
  if (effect === 'stopping') return draft('Ready', 'False', 'Stopping', 'The session is being stopped.');
  if (observed?.process.state === 'Running') return draft('Ready', 'True', 'Running', 'The session runs.');
  return notRunning(report);
}

/** What ended, or can't be asked, because its sandbox is being restarted. */
function isInterrupted({ desired, observed }: Report): boolean {
  if (!observed?.interrupted || desired.state === 'Stopped') return false;
  return observed.process.state === 'Exited' || observed.process.state === 'Silent';
}

/** A sandbox that can't be asked keeps a session from going: it can be ended as a whole. */
function terminating(report: Report): string {
  const [, , why] = unseenIn(report) ?? [];
  if (why === undefined) return 'It is being deleted.';
  return `It is being deleted. ${why} Restarting or deleting that sandbox ends the session too.`;
}

/** Why nobody could see what runs, where the sandbox is there. */
function unseenIn({ desired, observed }: Report): [ConditionStatus, SessionReason<'Ready'>, string] | undefined {
  const sandbox = observed?.elsewhere?.sandbox ?? desired.sandbox;
  switch (observed?.process.state) {
    case 'Paused':
      return ['False', 'SandboxPaused', `Sandbox ${sandbox} is paused. What runs in it goes on when the sandbox does.`];
    case 'Silent': {
      const message = `Sandbox ${sandbox} did not answer when it was asked what runs in it. It is asked again by itself.`;
      return ['Unknown', 'NotObserved', message];
    }
    default:
      return undefined;
  }
}

function failed(effect: string | undefined, error: unknown): Draft {
  const { detail } = causeOf(error);
  if (effect === 'starting') return draft('Ready', 'False', 'StartFailed', `It could not be started: ${detail}`);
  return draft('Ready', 'Unknown', 'NotObserved', `Its sandbox could not be asked: ${detail}`);
}

function notRunning({ desired, observed }: Report): Draft {
  const { state, blocked, sandbox, project, target } = desired;
  if (state === 'Stopped') return draft('Ready', 'False', 'Stopped', 'It is declared stopped.');
  if (blocked) return draft('Ready', 'False', blocked.reason, `${blocked.message}.`);
  if (!target?.ready) return draft('Ready', 'False', 'SandboxNotReady', sandboxNotReady(desired));
  const process = observed?.process;
  if (process?.state === 'Exited') return exited(process.exitCode);
  if (target.workdir === undefined) {
    return draft('Ready', 'False', 'WorkspaceNotReady', `Project ${project} is not mounted in sandbox ${sandbox}.`);
  }
  return agentMissing(desired, observed);
}

function sandboxNotReady({ sandbox, sandboxSays }: SessionDesired): string {
  return sandboxSays === undefined ? `Sandbox ${sandbox} is not ready.` : `Sandbox ${sandbox}: ${sandboxSays}`;
}

function agentMissing({ sandbox, command, installHint }: SessionDesired, observed: SessionObserved | null): Draft {
  if (observed?.agentFound === undefined) {
    return draft('Ready', 'False', 'SandboxNotReady', `Sandbox ${sandbox} could not be looked into.`);
  }
  const hint = installHint === undefined ? '' : ` It is had by: ${installHint}. Or name another agent.`;
  return draft('Ready', 'False', 'AgentNotAvailable', `${command[0] ?? 'Its program'} is not in the image.${hint}`);
}

function exited(exitCode: number | undefined): Draft {
  if (exitCode === 0) return draft('Ready', 'False', 'Exited', 'It ended by itself. A restart starts it again.');
  const how = exitCode === undefined ? 'was ended from outside' : `ended with exit code ${exitCode}`;
  return draft('Ready', 'False', 'Crashed', `Its program ${how}. A restart starts it again.`);
}

function agentAvailable({ desired, observed }: Report): Draft {
  const { command, agent } = desired;
  if (command.length === 0) {
    return draft('AgentAvailable', 'False', 'ReferenceNotFound', `Agent ${agent} does not exist.`);
  }
  const program = command[0] ?? '';
  if (observed?.agentFound === undefined) {
    return draft('AgentAvailable', 'Unknown', 'NotObserved', `Nobody could look for ${program} yet.`);
  }
  if (observed.agentFound) return draft('AgentAvailable', 'True', 'Available', `${program} is there.`);
  return draft(
    'AgentAvailable',
    'False',
    'NotInstalled',
    `${program} is not in the image of sandbox ${desired.sandbox}.`,
  );
}

function workspaceReady({ target, project, sandbox }: SessionDesired): Draft {
  if (!target) return draft('WorkspaceReady', 'Unknown', 'NotObserved', `Sandbox ${sandbox} is not ready.`);
  if (target.workdir !== undefined) return draft('WorkspaceReady', 'True', 'Mounted', `Project ${project} is mounted.`);
  const message = `Project ${project} is not in the running sandbox ${sandbox}. A restart of the sandbox mounts it.`;
  return draft('WorkspaceReady', 'False', 'ProjectNotMounted', message);
}

function upToDate(report: Report): Draft {
  const { desired, observed } = report;
  if (!observed || unseenIn(report)) return draft('UpToDate', 'Unknown', 'NotObserved', 'It could not be looked at.');
  if (observed.process.state !== 'Running') return draft('UpToDate', 'Unknown', 'NotRunning', 'It does not run.');
  if (observed.elsewhere) return moved(desired, observed.elsewhere.sandbox);
  if (isOutOfDate({ desired, observed })) {
    return draft('UpToDate', 'False', 'AgentChanged', 'It runs otherwise than declared now. A restart applies it.');
  }
  if (desired.target?.outOfDate) {
    return draft('UpToDate', 'False', 'SandboxOutOfDate', `Sandbox ${desired.sandbox} is out of date.`);
  }
  return draft('UpToDate', 'True', 'UpToDate', 'It runs as declared.');
}

function moved({ placement, sandbox }: SessionDesired, where: string): Draft {
  if (placement === 'Host') {
    return draft('UpToDate', 'False', 'PlacementChanged', `It runs in sandbox ${where}. A restart ends it there.`);
  }
  const message = `It runs in sandbox ${where}. A restart moves it to sandbox ${sandbox}.`;
  return draft('UpToDate', 'False', 'SandboxChanged', message);
}
