import type { StoreWriter } from '../../controller/store';
import type { SessionPlace } from './types';

const PLACE = 'place';

type Facts = Pick<StoreWriter, 'readFact' | 'writeFact'>;

export function readPlace(facts: Facts, uid: string): SessionPlace | undefined {
  const text = facts.readFact(uid, PLACE);
  return text === undefined ? undefined : (JSON.parse(text) as SessionPlace);
}

export function writePlace(facts: Facts, uid: string, place: SessionPlace): void {
  facts.writeFact(uid, PLACE, JSON.stringify(place));
}
