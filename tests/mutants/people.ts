import { createMutants, type Mutant } from './mutant.ts'

const peopleTests = 'tests/provider/people/home-people.test.ts'
const sameTests = 'tests/provider/people/same-person.test.ts'
const nameTests = 'tests/unit/provider/people/person-names.test.ts'

/** Mutants of the code that recognizes people: access to their names, and deletion of their data. */
export const PEOPLE_MUTANTS: readonly Mutant[] = [
  ...createMutants(
    'provider/people/shown-names.ts',
    [peopleTests, 'tests/provider/billing/plan-simulation/plan-simulation.test.ts'],
    [
      ['HP1', 'guests see names without permission', ' && readRecognition(sql).guests === 0', ' && false'],
      [
        'HP2',
        'events of cameras without people recognition show names',
        '(entitlements.get(deviceId)?.people === true ? names : NO_NAMES)',
        'names',
      ],
    ],
  ),
  ...createMutants(
    'provider/people/recognition.ts',
    [peopleTests, nameTests],
    [
      ['HP3', 'people are recognized although recognition is off', 'if (settings.is_on === 0)', 'if (false)'],
      ['HP4', 'a camera names people in every home', 'takes_names === 1 && canBeName(label)', 'canBeName(label)'],
      ['HP5', 'a home can have an unlimited number of people', 'if (n >= MAX_PEOPLE) return UNRECOGNIZED_PERSON', ''],
      [
        'HP6',
        'a camera can write a token into a text',
        'replaceNamesByTokens(removeTokenMarks(text), persons)',
        'replaceNamesByTokens(text, persons)',
      ],
    ],
  ),
  ...createMutants(
    'provider/people/home-people.ts',
    [peopleTests],
    [
      ['HP7', 'tokens of deleted people stay in events', 'await removePeopleFromEvents(sql, members)', ''],
      ['HP8', 'two people have the same name', "if (name !== null && same) return 'taken'", ''],
      ['HP9', 'merged people can be separated without a time limit', 'now - MERGE_UNDO_MS', '0'],
    ],
  ),
  ...createMutants(
    'provider/people/people-rows.ts',
    [peopleTests],
    [
      [
        'HP10',
        'the face of a deleted person is kept',
        "  sql.exec('DELETE FROM people_faces WHERE person IN (SELECT value FROM json_each(?))', json)\n",
        '',
      ],
      ['HP11', 'hidden people are mentioned', 'hidden ? null : (name', 'false ? null : (name'],
    ],
  ),
  ...createMutants(
    'provider/people/routes.ts',
    [peopleTests],
    [
      ['HP12', 'guests name people', 'if (home.role !== OWNER_ROLE) throw', 'if (false) throw'],
      ['HP13', 'searches for a deleted name stay', 'await deleteSearchesWithNames(env, home_id, names)', ''],
    ],
  ),
  ...createMutants(
    'provider/people/same-person.ts',
    [sameTests],
    [
      [
        'HP14',
        'people in the same clip are suggested as one',
        '!hasClipOfBoth(sql, pair.into.tokens, pair.other.tokens)',
        'true',
      ],
      ['HP15', 'two named people are suggested as one', '|| other.person.named ||', '||'],
      [
        'HP16',
        'different people are suggested again',
        '.filter(({ into, other }) => !differentKeys',
        '.filter(({ into, other }) => true || !differentKeys',
      ],
      ['HP17', 'hidden people are suggested', '!hidden && events', 'events'],
    ],
  ),
  ...createMutants(
    'provider/people/shared-visits.ts',
    ['tests/unit/provider/people/shared-visits.test.ts'],
    [
      [
        'HP18',
        'people who are far apart are suggested as one',
        'if (begin - end >= VISIT_GAP_MS) lastSeen',
        'if (false) lastSeen',
      ],
    ],
  ),
]
