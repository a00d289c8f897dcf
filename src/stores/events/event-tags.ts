import * as v from 'valibot'
import { getEventTags } from '../../../contract/events/event-calls.ts'
import { EVENT_TAGS } from '../../../contract/events/event-tags.ts'
import { request } from '../../api/api-client.ts'
import { type EventFilter, tagsOfKind } from '../../domain/events/event-filter.ts'
import { isTagId } from '../../domain/events/event-types.ts'
import { isSignInPage } from '../../domain/navigation/sign-in-pages.ts'
import { $address, changeFilter, hasList } from './event-url.ts'
import { keptJson } from '../storage/persistent-atoms.ts'
import { KEYS } from '../storage/storage-keys.ts'

const tagChoice = v.object({
  id: v.custom<(typeof EVENT_TAGS)[number]['id']>((id) => typeof id === 'string' && isTagId(id)),
  name: v.string(),
  /** Lucide icon name. */
  icon: v.string(),
  /** True if the event list is filtered by this tag. */
  clicked: v.boolean(),
})
export type TagChoice = v.InferOutput<typeof tagChoice>

/** Person known to the cameras. `id`: id of the person; `clicked`: the event list is filtered by this person. */
const personChoice = v.object({ ...tagChoice.entries, id: v.string() })

const keptTags = v.object({
  tags: v.array(tagChoice),
  motion: v.array(tagChoice),
  sound: v.array(tagChoice),
  /** People of the home, independent of the provider's tags (OPEN-140). */
  face: v.array(personChoice),
  friendlyFaces: v.record(v.string(), v.string()),
  /** Path and query of the page that the user visited before the events page, never a page under /user/ (OPEN-140). */
  previousRoute: v.string(),
  /** True if the popup for search, or for its prompt, was shown. Values stored by older versions lack these fields. */
  videoSearchPopup: v.optional(v.boolean()),
  videoSearchPromptPopup: v.optional(v.boolean()),
})
export type KeptTags = v.InferOutput<typeof keptTags>

const choice = ({ id, name, icon }: (typeof EVENT_TAGS)[number]): TagChoice => ({ id, name, icon, clicked: false })

/**
 * Tags used until the provider's tags have loaded (TAG-03): Automation and Face, and the motion and sound lists from
 * the tag table.
 */
export const DEFAULT_TAGS: KeptTags = {
  tags: EVENT_TAGS.filter(({ id }) => id === '11' || id === '12').map(choice),
  motion: tagsOfKind('motion').map(choice),
  sound: tagsOfKind('sound').map(choice),
  face: [],
  friendlyFaces: {},
  previousRoute: '',
  videoSearchPopup: false,
  videoSearchPromptPopup: false,
}

/** Tags that the filter offers, with their selection; kept across visits (STORE-20). */
export const $eventTags = keptJson<KeptTags>(KEYS.eventTags, DEFAULT_TAGS, (value) => v.is(keptTags, value))

const LISTS = ['tags', 'motion', 'sound'] as const
const FACE_ICON = 'scan-face'
const GENERAL = new Set(['4', '5'])

/** Loads the tags in the provider's order. Tags that the provider does not list are no longer offered. */
export async function loadEventTags(): Promise<void> {
  const answer = await request(getEventTags, {})
  if (!answer.ok) return
  const stored = $eventTags.get()
  const chosen = clickedIds()
  const offered = answer.data.flatMap(({ id, name, icon, kind }) =>
    isTagId(id) && !GENERAL.has(id) ? [{ kind, tag: { id, name, icon, clicked: chosen.includes(id) } }] : [],
  )
  const of = (...kinds: string[]) => offered.filter(({ kind }) => kinds.includes(kind)).map(({ tag }) => tag)
  $eventTags.set({ ...stored, motion: of('motion'), sound: of('sound'), tags: of('other', 'face') })
}

/** Returns the ids of the tags that the last filter selected. */
export function clickedIds(): TagChoice['id'][] {
  const stored = $eventTags.get()
  return LISTS.flatMap((name) => stored[name].filter(({ clicked }) => clicked).map(({ id }) => id))
}

/** Returns the names of the people that the last filter selected. */
const clickedPeople = (): string[] =>
  $eventTags
    .get()
    .face.filter(({ clicked }) => clicked)
    .map(({ name }) => name)

/**
 * Stores selected tags and people, and restores them if the page opens without a filter in its URL. Returns a function
 * that stops it.
 */
export function syncTags(): () => void {
  storePreviousRoute(document.referrer)
  if (location.search === '') {
    const [tags, people] = [clickedIds(), clickedPeople()]
    if (tags.length + people.length > 0) changeFilter({ tags, people }, false)
  }
  return $address.listen(({ filter }, before) => {
    if (filter.tags !== before?.filter.tags || filter.people !== before.filter.people) storeChoices(filter)
  })
}

/** Stores the portal page from which the user came to this page (TAG-09). `referrer`: value of `document.referrer`. */
export function storePreviousRoute(referrer: string): void {
  const previousRoute = parseRoute(referrer)
  if (previousRoute) $eventTags.set({ ...$eventTags.get(), previousRoute })
}

/** Returns path and query of another page of this portal, outside /user/; '' for any other referrer. */
function parseRoute(referrer: string): string {
  if (!URL.canParse(referrer)) return ''
  const { origin, pathname, search } = new URL(referrer)
  const isOther = origin === location.origin && pathname !== location.pathname && !isSignInPage(pathname)
  return isOther ? `${pathname}${search}` : ''
}

/**
 * Returns the previous route if a link on it opened the current clip or search; '' if the user opened it on this page
 * (OPEN-140).
 */
export function wayBack(): string {
  const { previousRoute } = $eventTags.get()
  // If a link opened the search, `steps` stays 0 for all further queries.
  const { pushed = false, steps } = (history.state as { pushed?: boolean; steps?: number } | null) ?? {}
  const isOpenedHere = pushed && steps !== 0
  return !isOpenedHere && parseRoute(document.referrer) === previousRoute ? previousRoute : ''
}

/** Goes back to the page whose link opened this clip or search; otherwise calls `close`. */
export function goBack(close: () => void): void {
  const route = wayBack()
  if (route) location.replace(location.origin + route)
  else close()
}

/**
 * Stores the names of known people and offers them in the filter (TAG-06). Keeps the selection, unless the page's URL
 * holds one.
 */
export function storeFaces(friendlyFaces: Readonly<Record<string, string>>): void {
  const people = hasList() ? $address.get().filter.people : clickedPeople()
  const face = Object.entries(friendlyFaces).map(([id, name]) => ({
    ...{ id, name, icon: FACE_ICON },
    clicked: people.includes(name),
  }))
  $eventTags.set({ ...$eventTags.get(), friendlyFaces: { ...friendlyFaces }, face })
}

function storeChoices({ tags: ids, people }: EventFilter): void {
  const stored = $eventTags.get()
  const mark = (list: readonly TagChoice[]) => list.map((tag) => ({ ...tag, clicked: ids.includes(tag.id) }))
  const { tags, motion, sound, face } = stored
  $eventTags.set({
    ...stored,
    tags: mark(tags),
    motion: mark(motion),
    sound: mark(sound),
    face: face.map((person) => ({ ...person, clicked: people.includes(person.name) })),
  })
}
