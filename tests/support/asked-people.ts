import {
  $homePeople,
  deletePeople,
  giveName,
  hide,
  loadPeople,
  mergeIntoPerson,
  showAgain,
  switchRecognition,
} from '../../src/stores/people/people.ts'
import { undoLast } from '../../src/stores/people/undo.ts'
import type { PanelCall, StoreCall } from './store-call.ts'
import { home, person } from './people.ts'

const DAN = person('p1', 'Dan')
const UNNAMED = person('p2', 'Person 2')
const HOME = home([DAN, UNNAMED])
const DONE = { 'EXT-people': { homes: [HOME] } }
const text = (failure: unknown) => (failure as { text?: string } | null)?.text

async function undo(done: () => Promise<unknown>): Promise<void> {
  await done()
  await undoLast()
}

export const PEOPLE_ACTIONS: readonly StoreCall[] = [
  { what: 'switches recognition', ledger: 'EXT-recognition', ask: () => switchRecognition(HOME, { on: false }) },
  { what: 'forgets a person', ledger: 'EXT-people-forget', ask: () => deletePeople(HOME, [DAN], 'Done.') },
  { what: 'forgets everyone', ledger: 'EXT-people-forget', ask: () => deletePeople(HOME, null, 'Done.') },
  { what: 'shows a person again', ledger: 'EXT-person-hide', ask: () => showAgain(HOME, UNNAMED) },
  {
    what: 'separates merged people',
    ledger: 'EXT-person-split',
    before: { 'EXT-person-merge': {}, ...DONE },
    ask: () => undo(() => mergeIntoPerson(HOME, UNNAMED, DAN)),
  },
]

function failedText(): string | undefined {
  const current = $homePeople.get()
  return current.state === 'failed' ? current.failure.text : undefined
}

function loadFirst(): Promise<void> {
  $homePeople.set({ state: 'loading' })
  return loadPeople()
}

export const PEOPLE_PANELS: readonly PanelCall[] = [
  { what: 'the people of a home', ledger: 'EXT-people', ask: loadFirst, place: failedText },
  { what: 'a name', ledger: 'EXT-person-name', ask: () => giveName(HOME, UNNAMED, 'Sam'), place: text },
  {
    what: 'two people as one',
    ledger: 'EXT-person-merge',
    ask: () => mergeIntoPerson(HOME, UNNAMED, DAN),
    place: text,
  },
  { what: 'a person without a name', ledger: 'EXT-person-hide', ask: () => hide(HOME, UNNAMED), place: text },
]
