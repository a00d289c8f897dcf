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
  /** Whether the list of events is narrowed to it. */
  clicked: v.boolean(),
})
export type TagChoice = v.InferOutput<typeof tagChoice>

/** Somebody whom the cameras know: `id` is that of the person, `clicked` whether the list is narrowed to them. */
const personChoice = v.object({ ...tagChoice.entries, id: v.string() })

const keptTags = v.object({
  tags: v.array(tagChoice),
  motion: v.array(tagChoice),
  sound: v.array(tagChoice),
  /** The people of the home, whatever tags the provider tells (OPEN-140). */
  face: v.array(personChoice),
  /** Names of people by their id. */
  friendlyFaces: v.record(v.string(), v.string()),
  /** Path and query of the last page before the events, outside /user/* (OPEN-140). */
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
  face: [],
  friendlyFaces: {},
  previousRoute: '',
  videoSearchPopup: false,
  videoSearchPromptPopup: false,
}

/** The tags that the filter offers, and which of them are chosen; kept over visits (STORE-20). */
export const $eventTags = keptJson<KeptTags>(KEYS.eventTags, DEFAULT_TAGS, (value) => v.is(keptTags, value))

const LISTS = ['tags', 'motion', 'sound'] as const
const FACE_ICON = 'scan-face'
const GENERAL = new Set(['4', '5'])

/** Takes the provider's tags into the lists, in its order; those it does not know are no longer offered. */
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

/** The tags that were chosen when the list was last looked at. */
export function clickedIds(): TagChoice['id'][] {
  const stored = $eventTags.get()
  return LISTS.flatMap((name) => stored[name].filter(({ clicked }) => clicked).map(({ id }) => id))
}

/** The people who were chosen when the list was last looked at, by name. */
const clickedPeople = (): string[] =>
  $eventTags
    .get()
    .face.filter(({ clicked }) => clicked)
    .map(({ name }) => name)

/**
 * Keeps which tags and people are chosen, and chooses them again where the page opens without any filter in its address. Ends with the
 * returned function.
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

/** Keeps the page of this portal that led here (TAG-09); `referrer` as the browser tells it. */
export function storePreviousRoute(referrer: string): void {
  const previousRoute = parseRoute(referrer)
  if (previousRoute) $eventTags.set({ ...$eventTags.get(), previousRoute })
}

/** Path and query of another page of this portal, outside /user/*; '' for whatever else led here. */
function parseRoute(referrer: string): string {
  if (!URL.canParse(referrer)) return ''
  const { origin, pathname, search } = new URL(referrer)
  const isOther = origin === location.origin && pathname !== location.pathname && !isSignInPage(pathname)
  return isOther ? `${pathname}${search}` : ''
}

/** The previous route, where it led straight to what is open here; '' where that was opened on this page (OPEN-140). */
export function wayBack(): string {
  const { previousRoute } = $eventTags.get()
  // No steps: further questions of a search that a link has opened.
  const { pushed = false, steps } = (history.state as { pushed?: boolean; steps?: number } | null) ?? {}
  const isOpenedHere = pushed && steps !== 0
  return !isOpenedHere && parseRoute(document.referrer) === previousRoute ? previousRoute : ''
}

/** Back of a clip or of the search that a link of another page has opened leads there again, any other one `close`s it. */
export function goBack(close: () => void): void {
  const route = wayBack()
  if (route) location.replace(location.origin + route)
  else close()
}

/** Keeps the names of known people (TAG-06), and lists them. Whoever was chosen stays so where the address does not say. */
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
