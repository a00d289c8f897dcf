import { atom } from 'nanostores'
import {
  forgetPeople,
  getHomePeople,
  hidePerson,
  type HomePeople,
  type HomePerson,
  MERGE_UNDO_MS,
  mergePeople,
  namePerson,
  setRecognition,
  splitPerson,
} from '../../../contract/events/people.ts'
import { request } from '../../api/api-client.ts'
import type { Result } from '../../api/result.ts'
import { inClips } from '../../domain/copy/counts.ts'
import { chunkList } from '../../domain/chunk-list.ts'
import { renameChosen } from '../events/event-url.ts'
import { onFeed } from '../home/feed.ts'
import { runUserAction, type Failure, showFailure, withFailureShown } from '../shell/report-failure.ts'
import { showToast } from '../shell/toasts.ts'
import { closeUndo, type PeopleUndo, showUndo } from './undo.ts'

export type PeopleState =
  | { readonly state: 'loading' }
  | { readonly state: 'ready'; readonly homes: readonly HomePeople[] }
  | { readonly state: 'failed'; readonly failure: Failure }

/** People of the homes that the account owns. */
export const $homePeople = atom<PeopleState>({ state: 'loading' })

/** Maximum number of people per `forgetPeople` call. */
const FORGET_MAX = 500
const TOO_LATE = 'These people were merged more than 10 minutes ago and cannot be separated.'
const NAME_TAKEN = 'Another person has this name now.'
const NOT_A_NAME = 'Clips use this word for something else. Choose another name.'

let turn = 0

/** Reloads people; the current ones stay visible until the response arrives. */
export async function loadPeople(): Promise<void> {
  const mine = ++turn
  if ($homePeople.get().state === 'failed') $homePeople.set({ state: 'loading' })
  const answer = await withFailureShown('place', request(getHomePeople, {}))
  if (mine !== turn) return
  if (answer.ok) $homePeople.set({ state: 'ready', homes: answer.data.homes })
  else if ($homePeople.get().state !== 'ready') $homePeople.set({ state: 'failed', failure: answer })
}

/** Loads people and keeps them up to date. Returns an unsubscribe function. */
export function watchPeople(): () => void {
  void loadPeople()
  return onFeed(({ type }) => {
    if (type === 'people' || type === 'access' || type === 'hello') void loadPeople()
  })
}

export function switchRecognition(
  home: HomePeople,
  change: { on?: boolean; guests?: boolean },
): Promise<Failure | null> {
  const { home_id, recognition, guests } = home
  return changed(runUserAction(request(setRecognition, { home_id, on: recognition, guests, ...change })))
}

export async function giveName(home: HomePeople, person: HomePerson, name: string): Promise<Failure | null> {
  const failure = await put(home, person, name)
  if (failure) return failure
  const text = person.named ? `Renamed ${person.name} to ${name}` : `Named ${name} in ${inClips(person.events)}`
  const before = person.named ? person.name : null
  renameChosen(person.name, name)
  offerUndo(text, async () => {
    const isUndone = await isDone(request(namePerson, { ...toPersonRef(home, person), name: before }), NAME_TAKEN)
    if (isUndone) renameChosen(name, person.name)
    return isUndone
  })
  return null
}

async function put(home: HomePeople, person: HomePerson, name: string): Promise<Failure | null> {
  const response = await request(namePerson, { ...toPersonRef(home, person), name })
  if (response.ok) return changed(Promise.resolve(null))
  const conflictText = `Another person is called ${name}. Merge the two instead.`
  return showFailure(
    'place',
    response,
    response.status === 409 ? conflictText : response.status === 422 ? NOT_A_NAME : '',
  )
}

/** Merges a person into another one, whose name stays. */
export async function mergeIntoPerson(home: HomePeople, person: HomePerson, into: HomePerson): Promise<Failure | null> {
  const response = await withFailureShown(
    'place',
    request(mergePeople, { ...toPersonRef(home, person), into: into.person_id }),
  )
  if (!response.ok) return response
  renameChosen(person.name, into.name)
  const text = person.named
    ? `Merged ${person.name} with ${into.name}`
    : `Named ${into.name} in ${inClips(person.events)}`
  offerUndo(text, () => isDone(request(splitPerson, toPersonRef(home, person)), TOO_LATE))
  return changed(Promise.resolve(null))
}

export async function hide(home: HomePeople, person: HomePerson): Promise<Failure | null> {
  const response = await withFailureShown('place', request(hidePerson, { ...toPersonRef(home, person), hidden: true }))
  if (!response.ok) return response
  offerUndo(`Clips no longer mention ${person.name}`, () =>
    isDone(request(hidePerson, { ...toPersonRef(home, person), hidden: false })),
  )
  return changed(Promise.resolve(null))
}

export function showAgain(home: HomePeople, person: HomePerson): Promise<Failure | null> {
  const pending = request(hidePerson, { ...toPersonRef(home, person), hidden: false })
  return changed(runUserAction(pending, { done: `Clips mention ${person.name} again.` }))
}

/**
 * Deletes the names and face data of these people, or of everyone in the home if null. `done`: text of the success
 * toast.
 */
export async function deletePeople(
  home: HomePeople,
  people: readonly HomePerson[] | null,
  done: string,
): Promise<Failure | null> {
  const parts =
    people === null
      ? [null]
      : chunkList(
          people.map(({ person_id }) => person_id),
          FORGET_MAX,
        )
  for (const person_ids of parts) {
    const failure = await runUserAction(request(forgetPeople, { home_id: home.home_id, person_ids }))
    if (failure) return failure
  }
  closeUndo()
  showToast('success', done)
  return changed(Promise.resolve(null))
}

/** Offers to undo a change, for as long as merged people can be separated. */
const offerUndo = (text: string, undo: PeopleUndo['undo']) => showUndo(text, MERGE_UNDO_MS, undo)

const toPersonRef = ({ home_id }: HomePeople, { person_id }: HomePerson) => ({ home_id, person_id })

async function changed(pending: Promise<Failure | null>): Promise<Failure | null> {
  const failure = await pending
  if (!failure) await loadPeople()
  return failure
}

/** Waits for an undo and returns true if it succeeded. Shows a failure as a toast. `conflict`: text for a 409. */
async function isDone(pending: Promise<Result<unknown>>, conflict = ''): Promise<boolean> {
  const answer = await pending
  if (!answer.ok) showFailure('toast', answer, answer.status === 409 ? conflict : '')
  else await loadPeople()
  return answer.ok
}
