import { collections, people } from '../../../contract/faces.ts'
import { request } from '../../api/client.ts'
import { keepFaces } from './event-tags.ts'

let asked = false

/** Asks once for everybody whom the cameras know by name; after a failure the next call asks again. */
export async function loadFaces(): Promise<void> {
  if (asked) return
  asked = true
  const names = await namesOfAll()
  asked = names !== null
  if (names) keepFaces(names)
}

async function namesOfAll(): Promise<Record<string, string> | null> {
  const known = await request(collections, {})
  if (!known.ok) return null
  const answers = await Promise.all(
    known.data.collections.map(({ collection_id }) => request(people, {}, { params: { collection_id } })),
  )
  const all = answers.flatMap((answer) => (answer.ok ? answer.data.people : []))
  return answers.some(({ ok }) => !ok) ? null : Object.fromEntries(all.map(({ person_id, name }) => [person_id, name]))
}
