import type { LimitSupport } from '../runtime';
import type { EngineFacts } from './replies';

export function support(enforced: boolean, reason: string): LimitSupport {
  return enforced ? { enforced } : { enforced, reason };
}

export function cgroupVersion(text: string | null | undefined): EngineFacts['cgroupVersion'] {
  const version = text?.replace(/^v/, '');
  return version === '1' || version === '2' ? version : 'Unknown';
}
