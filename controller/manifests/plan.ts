import { formatKey, keyOf, type Declaration, type Key } from '../../crds/meta';
import type { ParsedDocument } from '../../crds/parse';
import type { ManifestProblem } from '../../crds/problems';
import type { StoredObject } from '../state/rows';
import type { ManifestState, MissingManifest, Origin } from '../store';
import type { Scan } from './scan';

/** What a scan asks of the store. Nothing here deletes: an object without a manifest is let go by its own reconciler. */
export interface ManifestPlan {
  readonly declare: readonly { readonly declaration: Declaration; readonly manifest: ManifestState }[];
  readonly note: readonly { readonly key: Key; readonly manifest: ManifestState }[];
  readonly problems: readonly ManifestProblem[];
  /** Something is gone, but not for long enough: look again then. */
  readonly lookAgainAt?: number;
}

export interface PlanInput {
  readonly scan: Scan;
  readonly stored: readonly StoredObject[];
  readonly builtIns: readonly ParsedDocument[];
  readonly now: number;
}

/** A document must stay away this long before its absence counts: editors and `git` replace files in steps. */
export const QUIET_MS = 2_000;

/** Losing more objects than this in one scan, or more than half of them, is taken for an accident. */
const MASS_LOSS = 3;

interface Claim {
  readonly path: string;
  readonly document: ParsedDocument;
}

export function planManifests(input: PlanInput): ManifestPlan {
  const { winners, duplicates } = claims(input);
  const declare = [...winners.values()].map(({ path, document }) => ({
    declaration: document.declaration,
    manifest: fileState(path, document, duplicates),
  }));
  const rest = input.stored.filter(({ resource }) => !winners.has(formatKey(keyOf(resource))));
  const missing = notInScan(rest, input);
  const builtIns = builtInsFor(input, winners, missing.confirmed);
  const returned = new Set(builtIns.map(({ declaration }) => formatKey(declaration)));
  return {
    declare: [...declare, ...builtIns],
    note: [...missing.notes.filter(({ key }) => !returned.has(formatKey(key))), ...brokenNotes(rest, input.scan)],
    problems: [...input.scan.problems, ...brokenProblems(input.scan), ...duplicates],
    ...(missing.lookAgainAt === undefined ? {} : { lookAgainAt: missing.lookAgainAt }),
  };
}

/** Which document declares each key. Two of them: the one in force stays, else the first path wins. */
function claims({ scan, stored }: PlanInput): { winners: Map<string, Claim>; duplicates: ManifestProblem[] } {
  const inForce = new Map(stored.map(({ resource, manifest }) => [formatKey(keyOf(resource)), manifest.origin]));
  const winners = new Map<string, Claim>();
  const duplicates: ManifestProblem[] = [];
  for (const claim of scan.files.flatMap(claimsOf)) {
    const id = formatKey(claim.document.declaration);
    const origin = inForce.get(id);
    const refusal = origin && refusalOf(claim, origin, scan);
    if (refusal) duplicates.push(refusal);
    else settle(claim, { id, origin, winners, duplicates });
  }
  return { winners, duplicates };
}

/** Why a document has no say about an object: it is not a file's, or its own file can't be read just now. */
function refusalOf(claim: Claim, origin: Origin, scan: Scan): ManifestProblem | undefined {
  if (origin.type === 'Owned') {
    return conflict(claim, `the name belongs to an object that ${formatKey(origin.owner)} made`);
  }
  if (origin.type !== 'File' || origin.path === claim.path || !unknownFile(origin.path, scan)) return undefined;
  return duplicate(claim, origin);
}

interface Contest {
  readonly id: string;
  readonly origin: Origin | undefined;
  readonly winners: Map<string, Claim>;
  readonly duplicates: ManifestProblem[];
}

function settle(claim: Claim, { id, origin, winners, duplicates }: Contest): void {
  const standing = winners.get(id);
  if (!standing) {
    winners.set(id, claim);
    return;
  }
  const [winner, loser] = origin?.type === 'File' && origin.path === claim.path ? [claim, standing] : [standing, claim];
  winners.set(id, winner);
  duplicates.push(duplicate(loser, { path: winner.path, line: winner.document.line }));
}

function claimsOf(file: Scan['files'][number]): Claim[] {
  return file.state === 'Parsed' ? file.documents.map((document) => ({ path: file.path, document })) : [];
}

/** A file of which it is not known now what it declares: what it last declared stands. */
function unknownFile(path: string, { files }: Scan): Scan['files'][number] | undefined {
  return files.find((file) => file.state !== 'Parsed' && (file.path === path || path.startsWith(`${file.path}/`)));
}

function duplicate(loser: Claim, winner: { readonly path: string; readonly line: number }): ManifestProblem {
  const message = `${formatKey(loser.document.declaration)} is already declared in ${winner.path}:${winner.line}, which stays in force`;
  return { ...problemAt(loser), reason: 'DuplicateObject', message };
}

function conflict(claim: Claim, why: string): ManifestProblem {
  const message = `${formatKey(claim.document.declaration)} can't be declared: ${why}`;
  return { ...problemAt(claim), reason: 'NameConflict', message };
}

function problemAt({ path, document }: Claim): Pick<ManifestProblem, 'path' | 'line' | 'column' | 'key'> {
  const { kind, name } = document.declaration;
  return { path, line: document.line, column: 1, key: { kind, name } };
}

function fileState(path: string, document: ParsedDocument, duplicates: readonly ManifestProblem[]): ManifestState {
  const id = formatKey(document.declaration);
  return {
    origin: { type: 'File', path, line: document.line },
    problems: duplicates.filter(({ key, reason }) => reason === 'DuplicateObject' && key && formatKey(key) === id),
    warnings: document.warnings,
  };
}

/** Objects whose file is broken keep their last good declaration, and say why it is not the newest. */
function brokenNotes(rest: readonly StoredObject[], scan: Scan): ManifestPlan['note'] {
  return rest.flatMap(({ resource, manifest }) => {
    const file = manifest.origin.type === 'File' ? unknownFile(manifest.origin.path, scan) : undefined;
    if (file?.state !== 'Broken') return [];
    const { missing, ...present } = manifest;
    return [{ key: keyOf(resource), manifest: { ...present, problems: concerning(keyOf(resource), file.problems) } }];
  });
}

/** What is wrong with the object itself, or with its file as a whole; else its neighbours' trouble, which is not its own. */
function concerning(object: Key, problems: readonly ManifestProblem[]): readonly ManifestProblem[] {
  const own = problems.filter(({ key }) => key === undefined || formatKey(key) === formatKey(object));
  return own.length > 0 ? own : problems.map((problem) => ({ ...problem, reason: 'InvalidManifest' as const }));
}

function brokenProblems(scan: Scan): ManifestProblem[] {
  return scan.files.flatMap((file) => (file.state === 'Broken' ? file.problems : []));
}

interface Missing {
  readonly notes: ManifestPlan['note'];
  /** Keys whose absence counts from now on. */
  readonly confirmed: ReadonlySet<string>;
  readonly lookAgainAt?: number;
}

/** Absence counts only in a readable directory without a broken or half-written file, after a quiet while. */
function notInScan(rest: readonly StoredObject[], { scan, stored, now }: PlanInput): Missing {
  const lost = rest.filter(({ manifest }) => manifest.origin.type === 'File' && !manifest.missing);
  const conclusive = scan.readable && scan.files.every(({ state }) => state === 'Parsed');
  if (lost.length === 0 || !conclusive) return { notes: [], confirmed: new Set() };
  const countsAt = scan.quietSince + QUIET_MS;
  if (now < countsAt) return { notes: [], confirmed: new Set(), lookAgainAt: countsAt };
  const declared = stored.filter(({ manifest }) => manifest.origin.type === 'File' && !manifest.missing).length;
  const missing: MissingManifest = {
    since: new Date(now).toISOString(),
    massLoss: lost.length > MASS_LOSS || lost.length * 2 > declared,
  };
  return {
    notes: lost.map(({ resource, manifest }) => ({
      key: keyOf(resource),
      manifest: { ...manifest, problems: [], missing },
    })),
    confirmed: new Set(lost.map(({ resource }) => formatKey(keyOf(resource)))),
  };
}

/** What ships with the program stands wherever no file says otherwise, and comes back when the file has gone. */
function builtInsFor(
  { stored, builtIns }: PlanInput,
  winners: ReadonlyMap<string, Claim>,
  confirmed: ReadonlySet<string>,
): ManifestPlan['declare'] {
  const origins = new Map(stored.map(({ resource, manifest }) => [formatKey(keyOf(resource)), manifest.origin.type]));
  return builtIns.flatMap((document) => {
    const id = formatKey(document.declaration);
    const overridden = winners.has(id) || (origins.get(id) === 'File' && !confirmed.has(id));
    if (overridden) return [];
    const manifest: ManifestState = { origin: { type: 'BuiltIn' }, problems: [], warnings: [] };
    return [{ declaration: document.declaration, manifest }];
  });
}
