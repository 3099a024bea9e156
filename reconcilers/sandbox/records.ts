import type { StoreWriter } from '../../controller/store';
import type { ContainerRecord, RecoveryRecord } from './observed';
import { NO_STARTS } from './observed';

const CONTAINER = 'container';
const RECOVERY = 'recovery';

type Facts = Pick<StoreWriter, 'readFact' | 'writeFact'>;

export function readContainerRecord(facts: Facts, uid: string): ContainerRecord | undefined {
  const text = facts.readFact(uid, CONTAINER);
  return text === undefined ? undefined : (JSON.parse(text) as ContainerRecord);
}

export function writeContainerRecord(facts: Facts, uid: string, record: ContainerRecord | undefined): void {
  facts.writeFact(uid, CONTAINER, record && JSON.stringify(record));
}

/** Starts counted for an older generation don't count: an edited sandbox begins anew. */
export function readRecovery(facts: Facts, uid: string, generation: number): RecoveryRecord {
  const text = facts.readFact(uid, RECOVERY);
  const record = text === undefined ? NO_STARTS : (JSON.parse(text) as RecoveryRecord);
  return record.generation === generation ? record : NO_STARTS;
}

export function writeRecovery(facts: Facts, uid: string, record: RecoveryRecord | undefined): void {
  facts.writeFact(uid, RECOVERY, record && JSON.stringify(record));
}
