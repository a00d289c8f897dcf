import * as v from 'valibot'
import { getEventTags } from '../../../contract/events/event-calls.ts'
import { EVENT_TAGS } from '../../../contract/events/event-tags.ts'
import { request } from '../../api/api-client.ts'
import { type EventFilter, listTagsOfKind } from '../../domain/events/event-filter.ts'
import { isTagId } from '../../domain/events/event-types.ts'
import { isSignInPage } from '../../domain/navigation/sign-in-pages.ts'
import { $eventUrl, changeFilter, isEventListPage } from './event-url.ts'
import { persistentJson } from '../storage/persistent-atoms.ts'
import { STORAGE_KEYS } from '../storage/storage-keys.ts'

const tagChoiceSchema = v.object({
  id: v.custom<(typeof EVENT_TAGS)[number]['id']>((id) => typeof id === 'string' && isTagId(id)),
  name: v.string(),
  /** Lucide icon name. */
  icon: v.string(),
  /** True if the filter of the event list contains this tag. */
  clicked: v.boolean(),
})
export type TagChoice = v.InferOutput<typeof tagChoiceSchema>

/**
 * Person known to the cameras. `id`: id of the person. `clicked`: true if the event list is filtered by this person.
 */
const personChoiceSchema = v.object({ ...tagChoiceSchema.entries, id: v.string() })

const storedTagsSchema = v.object({
  tags: v.array(tagChoiceSchema),
  motion: v.array(tagChoiceSchema),
  sound: v.array(tagChoiceSchema),
  /** Known people of all homes of the account, independent of the provider's tags (OPEN-140). */
  face: v.array(personChoiceSchema),
  friendlyFaces: v.record(v.string(), v.string()),
  /** Path and query of the page that the user visited before the events page, never a page under /user/ (OPEN-140). */
  previousRoute: v.string(),
  /**
   * `videoSearchPopup`: true if the search popup was shown. `videoSearchPromptPopup`: true if the prompt popup of the
   * search was shown. Older versions did not store these fields.
   */
  videoSearchPopup: v.optional(v.boolean()),
  videoSearchPromptPopup: v.optional(v.boolean()),
})
export type StoredTags = v.InferOutput<typeof storedTagsSchema>

const toTagChoice = ({ id, name, icon }: (typeof EVENT_TAGS)[number]): TagChoice => ({ id, name, icon, clicked: false })

/**
 * Tags until the provider's tags have loaded (TAG-03): the tags Automation and Face, and all motion and sound tags of
 * the tag table.
 */
export const DEFAULT_TAGS: StoredTags = {
  tags: EVENT_TAGS.filter(({ id }) => id === '11' || id === '12').map(toTagChoice),
  motion: listTagsOfKind('motion').map(toTagChoice),
  sound: listTagsOfKind('sound').map(toTagChoice),
  face: [],
  friendlyFaces: {},
  previousRoute: '',
  videoSearchPopup: false,
  videoSearchPromptPopup: false,
}

/** Tags and people that the filter offers, with the user's selection; persisted across visits (STORE-20). */
export const $eventTags = persistentJson<StoredTags>(STORAGE_KEYS.eventTags, DEFAULT_TAGS, (value) =>
  v.is(storedTagsSchema, value),
)

const TAG_LISTS = ['tags', 'motion', 'sound'] as const
const FACE_ICON = 'scan-face'
const EXCLUDED_TAG_IDS = new Set(['4', '5'])

/**
 * Offers the tags that the provider lists, in the provider's order, except unknown tags and `EXCLUDED_TAG_IDS`.
 * Selected tags stay selected if they are still offered. A failure changes nothing.
 */
export async function loadEventTags(): Promise<void> {
  const response = await request(getEventTags, {})
  if (!response.ok) return
  const stored = $eventTags.get()
  const chosen = listSelectedTagIds()
  const offered = response.data.flatMap(({ id, name, icon, kind }) =>
    isTagId(id) && !EXCLUDED_TAG_IDS.has(id) ? [{ kind, tag: { id, name, icon, clicked: chosen.includes(id) } }] : [],
  )
  const tagsOfKinds = (...kinds: string[]) => offered.filter(({ kind }) => kinds.includes(kind)).map(({ tag }) => tag)
  $eventTags.set({
    ...stored,
    motion: tagsOfKinds('motion'),
    sound: tagsOfKinds('sound'),
    tags: tagsOfKinds('other', 'face'),
  })
}

/** Returns the ids of the tags that are selected in the stored filter. */
export function listSelectedTagIds(): TagChoice['id'][] {
  const stored = $eventTags.get()
  return TAG_LISTS.flatMap((name) => stored[name].filter(({ clicked }) => clicked).map(({ id }) => id))
}

const listSelectedPeople = (): string[] =>
  $eventTags
    .get()
    .face.filter(({ clicked }) => clicked)
    .map(({ name }) => name)

/**
 * Stores the previous route, and the selected tags and people when the filter changes. Restores the stored selection if
 * the page opens without a query in its URL. Returns a function that stops the sync.
 */
export function syncStoredTags(): () => void {
  storePreviousRoute(document.referrer)
  if (location.search === '') {
    const [tags, people] = [listSelectedTagIds(), listSelectedPeople()]
    if (tags.length + people.length > 0) changeFilter({ tags, people }, false)
  }
  return $eventUrl.listen(({ filter }, before) => {
    if (filter.tags !== before?.filter.tags || filter.people !== before.filter.people) storeSelection(filter)
  })
}

/** Stores the portal page from which the user came to this page (TAG-09). `referrer`: value of `document.referrer`. */
export function storePreviousRoute(referrer: string): void {
  const previousRoute = parseRoute(referrer)
  if (previousRoute) $eventTags.set({ ...$eventTags.get(), previousRoute })
}

/** Returns path and query of `referrer` if it is another page of this portal and outside /user/; otherwise ''. */
function parseRoute(referrer: string): string {
  if (!URL.canParse(referrer)) return ''
  const { origin, pathname, search } = new URL(referrer)
  const isOther = origin === location.origin && pathname !== location.pathname && !isSignInPage(pathname)
  return isOther ? `${pathname}${search}` : ''
}

/**
 * Returns the previous route if a link on it opened the current clip or search; '' if the user opened the clip or
 * search on this page (OPEN-140).
 */
export function getReturnRoute(): string {
  const { previousRoute } = $eventTags.get()
  // If a link opened the search, `steps` stays 0 for every later query of that search.
  const { pushed = false, steps } = (history.state as { pushed?: boolean; steps?: number } | null) ?? {}
  const isOpenedHere = pushed && steps !== 0
  return !isOpenedHere && parseRoute(document.referrer) === previousRoute ? previousRoute : ''
}

/** Navigates to the page whose link opened this clip or search. If there is no such page, calls `close`. */
export function returnToPreviousRoute(close: () => void): void {
  const route = getReturnRoute()
  if (route) location.replace(location.origin + route)
  else close()
}

/**
 * Stores the names of known people and offers them in the filter (TAG-06). On a page that lists events, the selection
 * in the URL replaces the stored selection.
 */
export function storeKnownPeople(friendlyFaces: Readonly<Record<string, string>>): void {
  const people = isEventListPage() ? $eventUrl.get().filter.people : listSelectedPeople()
  const face = Object.entries(friendlyFaces).map(([id, name]) => ({
    id,
    name,
    icon: FACE_ICON,
    clicked: people.includes(name),
  }))
  $eventTags.set({ ...$eventTags.get(), friendlyFaces: { ...friendlyFaces }, face })
}

function storeSelection({ tags: ids, people }: EventFilter): void {
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
