import { listFaceCollections, listCollectionPeople } from '../../../contract/events/faces.ts'
import { request } from '../../api/api-client.ts'
import { onFeed } from '../home/feed.ts'
import { $eventUrl, changeFilter } from './event-url.ts'
import { $eventTags, storeKnownPeople } from './event-tags.ts'

let isRequested = false
let isWatchingNames = false
let latestReload = 0

/**
 * Loads the names of all people known to the cameras once, and reloads them when names change. After a failure, the
 * next call retries.
 */
export async function loadKnownPeople(): Promise<void> {
  if (isRequested) return
  isRequested = true
  watchNames()
  isRequested = await reloadKnownPeople()
}

function watchNames(): void {
  if (isWatchingNames) return
  isWatchingNames = true
  onFeed(({ type }) => {
    if (type === 'people' && isRequested) void reloadKnownPeople()
  })
}

/** Reloads the names of known people and returns true on success. Keeps renamed people selected in the filter. */
async function reloadKnownPeople(): Promise<boolean> {
  const reloadNumber = ++latestReload
  const names = await fetchAllNames()
  if (!names || reloadNumber !== latestReload) return names !== null
  const before = Object.entries($eventTags.get().friendlyFaces)
  const renamed = new Map(before.map(([id, name]) => [name, names[id] ?? name]))
  const selectedPeople = $eventUrl.get().filter.people
  const next = [...new Set(selectedPeople.map((name) => renamed.get(name) ?? name))]
  if (next.some((name) => !selectedPeople.includes(name))) changeFilter({ people: next }, false)
  storeKnownPeople(names)
  return true
}

async function fetchAllNames(): Promise<Record<string, string> | null> {
  const response = await request(listFaceCollections, {})
  if (!response.ok) return null
  const results = await Promise.all(
    response.data.collections.map(({ collection_id }) =>
      request(listCollectionPeople, {}, { params: { collection_id } }),
    ),
  )
  const all = results.flatMap((answer) => (answer.ok ? answer.data.people : []))
  return results.some(({ ok }) => !ok) ? null : Object.fromEntries(all.map(({ person_id, name }) => [person_id, name]))
}
