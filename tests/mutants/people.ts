import { createMutants, type Mutant } from './mutant.ts'

const people = 'tests/provider/people/home-people.test.ts'
const names = 'tests/unit/provider/people/person-names.test.ts'

/** Mutants of the code for people of a home: who sees names, and what a deletion removes. */
export const PEOPLE: readonly Mutant[] = [
  ...createMutants(
    'provider/people/shown-names.ts',
    [people, 'tests/provider/billing/plan-simulation/plan-simulation.test.ts'],
    [
      ['HP1', 'guests see names without being allowed to', ' && readRecognition(sql).guests === 0', ' && false'],
      [
        'HP2',
        'names stand on events of cameras without a plan with people',
        '(entitlements.get(deviceId)?.people === true ? names : NO_NAMES)',
        'names',
      ],
    ],
  ),
  ...createMutants(
    'provider/people/recognition.ts',
    [people, names],
    [
      ['HP3', 'people are recognized although recognition is off', 'if (settings.is_on === 0)', 'if (false)'],
      ['HP4', 'a camera names people in every home', 'takes_names === 1 && isName(label)', 'isName(label)'],
      ['HP5', 'a home can be filled with people', 'if (n >= PEOPLE_MAX) return UNRECOGNIZED_PERSON', ''],
      [
        'HP6',
        'a camera can write a token into a text',
        'mentioned(withoutMarks(text), persons)',
        'mentioned(text, persons)',
      ],
    ],
  ),
  ...createMutants(
    'provider/people/home-people.ts',
    [people],
    [
      ['HP7', 'the tokens of forgotten people stay in events', 'await removeFromEvents(sql, members)', ''],
      ['HP8', 'two people have one name', "if (name !== null && same) return 'taken'", ''],
      ['HP9', 'merged people can be separated for ever', 'now - MERGE_UNDO_MS', '0'],
    ],
  ),
  ...createMutants(
    'provider/people/people-rows.ts',
    [people],
    [
      [
        'HP10',
        'the face of a forgotten person is kept',
        "  sql.exec('DELETE FROM people_faces WHERE person IN (SELECT value FROM json_each(?))', json)\n",
        '',
      ],
      ['HP11', 'hidden people are mentioned', 'hidden ? null : (name', 'false ? null : (name'],
    ],
  ),
  ...createMutants(
    'provider/people/routes.ts',
    [people],
    [
      ['HP12', 'guests name people', 'if (home.role !== OWNER) throw', 'if (false) throw'],
      ['HP13', 'searches for a forgotten name stay', 'await dropSearchesFor(env, home_id, names)', ''],
    ],
  ),
]
