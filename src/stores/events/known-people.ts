import { collections, people } from '../../../contract/events/faces.ts'
import { request } from '../../api/api-client.ts'
import { onFeed } from '../home/feed.ts'
import { $address, changeFilter } from './event-url.ts'
import { $eventTags, storeFaces } from './event-tags.ts'

let isRequested = false
let isFollowing = false
let turn = 0

/**
 * Loads the names of all people known to the cameras once, and again when names change. A failed load is retried on the
 * next call.
 */
export async function loadFaces(): Promise<void> {
  if (isRequested) return
  isRequested = true
  watchNames()
  isRequested = await reloadFaces()
}

function watchNames(): void {
  if (isFollowing) return
  isFollowing = true
  onFeed(({ type }) => {
    if (type === 'people' && isRequested) void reloadFaces()
  })
}

/** Reloads the names and returns true on success. The filter keeps renamed people selected. */
async function reloadFaces(): Promise<boolean> {
  const mine = ++turn
  const names = await namesOfAll()
  if (!names || mine !== turn) return names !== null
  const before = Object.entries($eventTags.get().friendlyFaces)
  const renamed = new Map(before.map(([id, name]) => [name, names[id] ?? name]))
  const chosen = $address.get().filter.people
  const next = [...new Set(chosen.map((name) => renamed.get(name) ?? name))]
  if (next.some((name) => !chosen.includes(name))) changeFilter({ people: next }, false)
  storeFaces(names)
  return true
}

async function namesOfAll(): Promise<Record<string, string> | null> {
  const response = await request(collections, {})
  if (!response.ok) return null
  const answers = await Promise.all(
    response.data.collections.map(({ collection_id }) => request(people, {}, { params: { collection_id } })),
  )
  const all = answers.flatMap((answer) => (answer.ok ? answer.data.people : []))
  return answers.some(({ ok }) => !ok) ? null : Object.fromEntries(all.map(({ person_id, name }) => [person_id, name]))
}
