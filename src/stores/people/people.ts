import { atom } from 'nanostores'
import {
  deletePeopleData,
  getHomePeople,
  hidePerson,
  type HomePeople,
  type HomePerson,
  markDifferentPeople,
  MERGE_UNDO_MS,
  mergePeople,
  namePerson,
  setRecognition,
  splitPerson,
} from '../../../contract/events/people.ts'
import { request } from '../../api/api-client.ts'
import type { Result } from '../../api/result.ts'
import { formatClipCount } from '../../domain/copy/counts.ts'
import { chunkList } from '../../domain/chunk-list.ts'
import { renameSelectedPerson } from '../events/event-url.ts'
import { onFeed } from '../home/feed.ts'
import { runUserAction, type Failure, showFailure, withFailureShown } from '../shell/report-failure.ts'
import { showToast } from '../shell/toasts.ts'
import { closePeopleUndo, type PeopleUndo, showPeopleUndo } from './undo.ts'

export type PeopleState =
  | { readonly state: 'loading' }
  | { readonly state: 'ready'; readonly homes: readonly HomePeople[] }
  | { readonly state: 'failed'; readonly failure: Failure }

/** People of the homes that the account owns. */
export const $homePeople = atom<PeopleState>({ state: 'loading' })

const MAX_PEOPLE_PER_CALL = 500
const MERGE_UNDO_EXPIRED_TEXT = 'These people were merged more than 10 minutes ago and can’t be separated.'
const NAME_TAKEN_TEXT = 'We couldn’t undo this. Another person now has the previous name.'
const NAME_NOT_ALLOWED_TEXT = 'Clip descriptions use this word for something else. Choose another name.'

let latestLoad = 0

/** Reloads the people. The current list stays visible until the response arrives. */
export async function loadPeople(): Promise<void> {
  const loadNumber = ++latestLoad
  if ($homePeople.get().state === 'failed') $homePeople.set({ state: 'loading' })
  const response = await withFailureShown('place', request(getHomePeople, {}))
  if (loadNumber !== latestLoad) return
  if (response.ok) $homePeople.set({ state: 'ready', homes: response.data.homes })
  else if ($homePeople.get().state !== 'ready') $homePeople.set({ state: 'failed', failure: response })
}

/** Loads people and keeps them up to date. Returns an unsubscribe function. */
export function watchPeople(): () => void {
  void loadPeople()
  return onFeed(({ type }) => {
    if (type === 'people' || type === 'access' || type === 'hello') void loadPeople()
  })
}

export function changeRecognition(
  home: HomePeople,
  change: { on?: boolean; guests?: boolean },
): Promise<Failure | null> {
  const { home_id, recognition, guests } = home
  return reloadAfterSuccess(runUserAction(request(setRecognition, { home_id, on: recognition, guests, ...change })))
}

export async function setPersonName(home: HomePeople, person: HomePerson, name: string): Promise<Failure | null> {
  const failure = await sendPersonName(home, person, name)
  if (failure) return failure
  const text = person.named ? `Renamed ${person.name} to ${name}` : `Named ${name} in ${formatClipCount(person.events)}`
  const previousName = person.named ? person.name : null
  renameSelectedPerson(person.name, name)
  offerPeopleUndo(text, async () => {
    const wasUndone = await completeUndo(
      request(namePerson, { ...toPersonRef(home, person), name: previousName }),
      NAME_TAKEN_TEXT,
    )
    if (wasUndone) renameSelectedPerson(name, person.name)
    return wasUndone
  })
  return null
}

async function sendPersonName(home: HomePeople, person: HomePerson, name: string): Promise<Failure | null> {
  const response = await request(namePerson, { ...toPersonRef(home, person), name })
  if (response.ok) return reloadAfterSuccess(Promise.resolve(null))
  const conflictText = `Another person is already named ${name}. Merge these two people instead.`
  return showFailure(
    'place',
    response,
    response.status === 409 ? conflictText : response.status === 422 ? NAME_NOT_ALLOWED_TEXT : '',
  )
}

/** Merges `person` into the person `into`, whose name stays. Offers an undo. */
export async function mergeIntoPerson(home: HomePeople, person: HomePerson, into: HomePerson): Promise<Failure | null> {
  const response = await withFailureShown(
    'place',
    request(mergePeople, { ...toPersonRef(home, person), into: into.person_id }),
  )
  if (!response.ok) return response
  renameSelectedPerson(person.name, into.name)
  const isNaming = into.named && !person.named
  const text = isNaming
    ? `Named ${into.name} in ${formatClipCount(person.events)}`
    : `Merged ${person.name} into ${into.name}`
  offerPeopleUndo(text, () => completeUndo(request(splitPerson, toPersonRef(home, person)), MERGE_UNDO_EXPIRED_TEXT))
  return reloadAfterSuccess(Promise.resolve(null))
}

/** Stores that two people are different, so that they are no longer suggested as one. Offers an undo. */
export async function markAsDifferent(
  home: HomePeople,
  person: HomePerson,
  other: HomePerson,
): Promise<Failure | null> {
  const pair = { ...toPersonRef(home, person), other_id: other.person_id }
  const response = await withFailureShown('place', request(markDifferentPeople, { ...pair, different: true }))
  if (!response.ok) return response
  offerPeopleUndo(`Marked ${other.name} and ${person.name} as different people`, () =>
    completeUndo(request(markDifferentPeople, { ...pair, different: false })),
  )
  return reloadAfterSuccess(Promise.resolve(null))
}

export async function hidePersonInClips(home: HomePeople, person: HomePerson): Promise<Failure | null> {
  const response = await withFailureShown('place', request(hidePerson, { ...toPersonRef(home, person), hidden: true }))
  if (!response.ok) return response
  offerPeopleUndo(`Clips no longer mention ${person.name}`, () =>
    completeUndo(request(hidePerson, { ...toPersonRef(home, person), hidden: false })),
  )
  return reloadAfterSuccess(Promise.resolve(null))
}

export function unhidePerson(home: HomePeople, person: HomePerson): Promise<Failure | null> {
  const pending = request(hidePerson, { ...toPersonRef(home, person), hidden: false })
  return reloadAfterSuccess(runUserAction(pending, { done: `Clips will mention ${person.name} again.` }))
}

/**
 * Deletes the names and face data of these people, or of everyone in the home if `people` is null. Stops at the first
 * failed call; earlier deletions stay. `doneText`: text of the success toast.
 */
export async function deletePeople(
  home: HomePeople,
  people: readonly HomePerson[] | null,
  doneText: string,
): Promise<Failure | null> {
  const batches =
    people === null
      ? [null]
      : chunkList(
          people.map(({ person_id }) => person_id),
          MAX_PEOPLE_PER_CALL,
        )
  for (const person_ids of batches) {
    const failure = await runUserAction(request(deletePeopleData, { home_id: home.home_id, person_ids }))
    if (failure) return failure
  }
  closePeopleUndo()
  showToast('success', doneText)
  return reloadAfterSuccess(Promise.resolve(null))
}

/** Offers to undo a change for `MERGE_UNDO_MS`, because merged people cannot be separated after that time. */
const offerPeopleUndo = (text: string, undo: PeopleUndo['undo']) => showPeopleUndo(text, MERGE_UNDO_MS, undo)

const toPersonRef = ({ home_id }: HomePeople, { person_id }: HomePerson) => ({ home_id, person_id })

async function reloadAfterSuccess(pending: Promise<Failure | null>): Promise<Failure | null> {
  const failure = await pending
  if (!failure) await loadPeople()
  return failure
}

/**
 * Waits for an undo request and returns true if it succeeded. Shows a failure as a toast. `conflict`: text of the toast
 * after a 409.
 */
async function completeUndo(pending: Promise<Result<unknown>>, conflict = ''): Promise<boolean> {
  const result = await pending
  if (!result.ok) showFailure('toast', result, result.status === 409 ? conflict : '')
  else await loadPeople()
  return result.ok
}
