import {
  $homePeople,
  deletePeople,
  setPersonName,
  hidePersonInClips,
  loadPeople,
  markAsDifferent,
  mergeIntoPerson,
  unhidePerson,
  changeRecognition,
} from '../../src/stores/people/people.ts'
import { undoLastPeopleChange } from '../../src/stores/people/undo.ts'
import type { PanelCall, StoreCall } from './store-call.ts'
import { createHomePeople, createPerson } from './people.ts'

const DAN = createPerson('p1', 'Dan')
const UNNAMED = createPerson('p2', 'Person 2')
const HOME_WITH_PEOPLE = createHomePeople([DAN, UNNAMED])
const PEOPLE_RESPONSE = { 'EXT-people': { homes: [HOME_WITH_PEOPLE] } }
const readText = (failure: unknown) => (failure as { text?: string } | null)?.text

async function runAndUndo(action: () => Promise<unknown>): Promise<void> {
  await action()
  await undoLastPeopleChange()
}

export const PEOPLE_ACTIONS: readonly StoreCall[] = [
  {
    description: 'switches recognition',
    requirement: 'EXT-recognition',
    ask: () => changeRecognition(HOME_WITH_PEOPLE, { on: false }),
  },
  {
    description: 'deletes a person',
    requirement: 'EXT-people-forget',
    ask: () => deletePeople(HOME_WITH_PEOPLE, [DAN], 'Done.'),
  },
  {
    description: 'deletes all people',
    requirement: 'EXT-people-forget',
    ask: () => deletePeople(HOME_WITH_PEOPLE, null, 'Done.'),
  },
  {
    description: 'shows a person again',
    requirement: 'EXT-person-hide',
    ask: () => unhidePerson(HOME_WITH_PEOPLE, UNNAMED),
  },
  {
    description: 'separates merged people',
    requirement: 'EXT-person-split',
    before: { 'EXT-person-merge': {}, ...PEOPLE_RESPONSE },
    ask: () => runAndUndo(() => mergeIntoPerson(HOME_WITH_PEOPLE, UNNAMED, DAN)),
  },
]

function readFailureText(): string | undefined {
  const current = $homePeople.get()
  return current.state === 'failed' ? current.failure.text : undefined
}

function loadFromLoadingState(): Promise<void> {
  $homePeople.set({ state: 'loading' })
  return loadPeople()
}

export const PEOPLE_PANELS: readonly PanelCall[] = [
  {
    description: 'the people of a home',
    requirement: 'EXT-people',
    ask: loadFromLoadingState,
    readFailure: readFailureText,
  },
  {
    description: 'the name of a person',
    requirement: 'EXT-person-name',
    ask: () => setPersonName(HOME_WITH_PEOPLE, UNNAMED, 'Sam'),
    readFailure: readText,
  },
  {
    description: 'a merge of two people',
    requirement: 'EXT-person-merge',
    ask: () => mergeIntoPerson(HOME_WITH_PEOPLE, UNNAMED, DAN),
    readFailure: readText,
  },
  {
    description: 'marking two people as different',
    requirement: 'EXT-person-different',
    ask: () => markAsDifferent(HOME_WITH_PEOPLE, UNNAMED, DAN),
    readFailure: readText,
  },
  {
    description: 'hiding an unnamed person',
    requirement: 'EXT-person-hide',
    ask: () => hidePersonInClips(HOME_WITH_PEOPLE, UNNAMED),
    readFailure: readText,
  },
]
