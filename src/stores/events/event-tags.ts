import * as v from 'valibot'
import { getEventTags } from '../../../contract/event-details.ts'
import { EVENT_TAGS } from '../../../contract/event-tags.ts'
import { request } from '../../api/client.ts'
import { tagsOfKind } from '../../domain/event-filter.ts'
import { isTagId } from '../../domain/event-types.ts'
import { $address, changeFilter } from './event-address.ts'
import { keptJson } from '../storage/persistent.ts'
import { KEYS } from '../storage/storage.ts'

const tagChoice = v.object({
  id: v.custom<(typeof EVENT_TAGS)[number]['id']>((id) => typeof id === 'string' && isTagId(id)),
  name: v.string(),
  /** Lucide icon name. */
  icon: v.string(),
  /** Whether the list of events is narrowed to it. */
  clicked: v.boolean(),
})
export type TagChoice = v.InferOutput<typeof tagChoice>

const keptTags = v.object({
  tags: v.array(tagChoice),
  motion: v.array(tagChoice),
  sound: v.array(tagChoice),
  face: v.array(tagChoice),
  /** Names of people by their id. */
  friendlyFaces: v.record(v.string(), v.string()),
  /** Path and query of the page that led to the events. */
  previousRoute: v.string(),
  /** Whether the popup of the search, and that of its question, were shown; kept values may be older than popups. */
  videoSearchPopup: v.optional(v.boolean()),
  videoSearchPromptPopup: v.optional(v.boolean()),
})
export type KeptTags = v.InferOutput<typeof keptTags>

const choice = ({ id, name, icon }: (typeof EVENT_TAGS)[number]): TagChoice => ({ id, name, icon, clicked: false })

/** As before the provider has told its tags: Automation and Face by default, the lists by the tag table (TAG-03). */
export const DEFAULT_TAGS: KeptTags = {
  tags: EVENT_TAGS.filter(({ id }) => id === '11' || id === '12').map(choice),
  motion: tagsOfKind('motion').map(choice),
  sound: tagsOfKind('sound').map(choice),
  face: tagsOfKind('face').map(choice),
  friendlyFaces: {},
  previousRoute: '',
  videoSearchPopup: false,
  videoSearchPromptPopup: false,
}

/** The tags that the filter offers, and which of them are chosen; kept over visits (STORE-20). */
export const $eventTags = keptJson<KeptTags>(KEYS.eventTags, DEFAULT_TAGS, (value) => v.is(keptTags, value))

const LISTS = ['tags', 'motion', 'sound', 'face'] as const
const GENERAL = new Set(['4', '5'])

/** Takes the provider's tags into the lists, in its order; those it does not know are no longer offered. */
export async function loadEventTags(): Promise<void> {
  const answer = await request(getEventTags, {})
  if (!answer.ok) return
  const kept = $eventTags.get()
  const chosen = clickedIds()
  const known = answer.data.flatMap(({ id, name, icon, kind }) =>
    isTagId(id) && !GENERAL.has(id) ? [{ kind, tag: { id, name, icon, clicked: chosen.includes(id) } }] : [],
  )
  const of = (...kinds: string[]) => known.filter(({ kind }) => kinds.includes(kind)).map(({ tag }) => tag)
  $eventTags.set({ ...kept, motion: of('motion'), sound: of('sound'), face: [], tags: of('other', 'face') })
}

/** The tags that were chosen when the list was last looked at. */
export function clickedIds(): TagChoice['id'][] {
  const kept = $eventTags.get()
  return LISTS.flatMap((name) => kept[name].filter(({ clicked }) => clicked).map(({ id }) => id))
}

/**
 * Keeps which tags are chosen, and chooses them again where the page opens without any filter in its address. Ends with the
 * returned function.
 */
export function followTags(): () => void {
  keepRoute(document.referrer)
  if (location.search === '') {
    const tags = clickedIds()
    if (tags.length > 0) changeFilter({ tags })
  }
  return $address.listen(({ filter }, before) => {
    if (filter.tags !== before?.filter.tags) keep(filter.tags)
  })
}

/** Keeps the page of this portal that led here; `referrer` as the browser tells it. */
export function keepRoute(referrer: string): void {
  if (!URL.canParse(referrer)) return
  const { origin, pathname, search } = new URL(referrer)
  if (origin === location.origin && pathname !== location.pathname)
    $eventTags.set({ ...$eventTags.get(), previousRoute: `${pathname}${search}` })
}

/** Keeps the names of known people (TAG-06). */
export function keepFaces(friendlyFaces: Readonly<Record<string, string>>): void {
  $eventTags.set({ ...$eventTags.get(), friendlyFaces: { ...friendlyFaces } })
}

function keep(ids: readonly string[]): void {
  const kept = $eventTags.get()
  const mark = (list: readonly TagChoice[]) => list.map((tag) => ({ ...tag, clicked: ids.includes(tag.id) }))
  const { tags, motion, sound, face } = kept
  $eventTags.set({ ...kept, tags: mark(tags), motion: mark(motion), sound: mark(sound), face: mark(face) })
}
