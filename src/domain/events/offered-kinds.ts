import { EVENT_TAGS } from '../../../contract/events/event-tags.ts'
import { FILTER_KINDS, type FilterKind, isFreeType } from './event-types.ts'

/** Returns the tag kinds to offer; the free view offers only kinds with a free type (EVENT-29). */
export function listOfferedKinds(isPaidView: boolean): FilterKind[] {
  return FILTER_KINDS.filter((kind) => isPaidView || EVENT_TAGS.some((tag) => tag.kind === kind && isFreeType(tag.id)))
}
