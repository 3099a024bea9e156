import { badRequest } from './errors';

type Labels = Readonly<Record<string, string>>;
type LabelTest = (labels: Labels) => boolean;

const KEY = /^([a-z0-9]([-a-z0-9.]*[a-z0-9])?\/)?[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?$/;
const VALUE = /^([A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?)?$/;
const SET_BASED = /^(\S+)\s+(in|notin)\s*\(([^()]*)\)$/;
const EQUALITY = /^([^=!\s]+)\s*(==|=|!=)\s*(\S*)$/;

/** A Kubernetes label selector: `=`, `==`, `!=`, `in (a,b)`, `notin (a,b)`, `key`, `!key`, joined by commas. */
export function parseLabelSelector(text: string): LabelTest {
  const tests = splitTerms(text).map(labelTest);
  return (labels) => tests.every((test) => test(labels));
}

/** Commas inside parentheses do not separate. */
function splitTerms(text: string): string[] {
  if (text.trim() === '') return [];
  return text.split(/,(?![^(]*\))/).map((term) => term.trim());
}

function labelTest(term: string): LabelTest {
  const set = SET_BASED.exec(term);
  if (set !== null) return setTest(set[1] ?? '', set[2] === 'in', (set[3] ?? '').split(','));
  const equality = EQUALITY.exec(term);
  if (equality !== null) return setTest(equality[1] ?? '', equality[2] !== '!=', [equality[3] ?? '']);
  return existenceTest(term);
}

function setTest(key: string, wanted: boolean, rawValues: readonly string[]): LabelTest {
  checkKey(key);
  const values = rawValues.map((value) => checkValue(value.trim()));
  // An object without the key is "not equal" and "not in", as in Kubernetes.
  return (labels) => {
    const value = own(labels, key);
    return (value !== undefined && values.includes(value)) === wanted;
  };
}

function existenceTest(term: string): LabelTest {
  const negated = term.startsWith('!');
  const key = checkKey(negated ? term.slice(1).trim() : term);
  return (labels) => (own(labels, key) === undefined) === negated;
}

function own(labels: Labels, key: string): string | undefined {
  return Object.hasOwn(labels, key) ? labels[key] : undefined;
}

function checkKey(key: string): string {
  if (!KEY.test(key)) throw badRequest(`unable to parse the label selector: ${JSON.stringify(key)} is no label key`);
  return key;
}

function checkValue(value: string): string {
  if (VALUE.test(value)) return value;
  throw badRequest(`unable to parse the label selector: ${JSON.stringify(value)} is no label value`);
}

/** How to read each field that may be selected by. */
export type FieldReaders<Item> = Readonly<Record<string, (item: Item) => string>>;

/** A field selector: `=`, `==` and `!=` on the fields given, joined by commas. Any other field is an error. */
export function parseFieldSelector<Item>(text: string, readers: FieldReaders<Item>): (item: Item) => boolean {
  const tests = splitTerms(text).map((term) => fieldTest(term, readers));
  return (item) => tests.every((test) => test(item));
}

function fieldTest<Item>(term: string, readers: FieldReaders<Item>): (item: Item) => boolean {
  const [, field, operator, value] = /^([^=!]+?)(==|=|!=)(.*)$/.exec(term) ?? [];
  if (field === undefined) throw badRequest(`invalid field selector: ${JSON.stringify(term)}`);
  const read = Object.hasOwn(readers, field) ? readers[field] : undefined;
  if (read === undefined) throw badRequest(`field label not supported: ${field}`);
  return (item) => (read(item) === value) === (operator !== '!=');
}
