import { Document, isScalar, Scalar, visit } from 'yaml';
import { isPrintable, printableDocument } from '../../controller/api/wire/printable';

/** YAML as kubectl writes it. Strings that would steer a terminal are quoted, so that they can be written as escapes. */
export function toYaml(value: unknown): string {
  const document = new Document(value, { aliasDuplicateObjects: false });
  visit(document, {
    Scalar: (_key, node) => {
      if (isScalar(node) && typeof node.value === 'string' && steers(node.value)) node.type = Scalar.QUOTE_DOUBLE;
    },
  });
  return printableDocument(document.toString({ lineWidth: 0 }));
}

/** Line ends alone are fine: a block scalar keeps its indentation. */
function steers(text: string): boolean {
  return !isPrintable(text.replaceAll('\n', ''));
}
