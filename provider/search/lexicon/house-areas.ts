import type { CameraPlace } from '../../../contract/cameras/camera-areas.ts'
import { splitSynonyms } from './synonym-group.ts'

/** Camera area: no camera is named after it, but several may look at it. */
export interface Area {
  readonly id: CameraPlace
  /** Words that a query uses for it. */
  readonly words: readonly string[]
  /** Words in the names of its cameras. */
  readonly names: readonly string[]
}

const area = (id: CameraPlace, words: string, names: string): Area => ({
  id,
  words: splitSynonyms(words),
  names: splitSynonyms(names),
})

const BACK = 'back, backyard, back yard, garden, rear, patio, terrace, deck, lawn, yard'
const FRONT = 'front, porch, driveway, drive, entrance, street, gate, doorbell'
const OUTER =
  'courtyard, veranda, doorbell, side, path, pavement, sidewalk, outside, outdoor, outdoors, shed, pool, alley, roof, balcony, field, barn, road, carport, parking'

/** Camera areas. Longer phrases are tried before shorter ones. */
export const AREAS: readonly Area[] = [
  area(
    'outside',
    'outside, outdoors, outdoor, out of doors, exterior, outside the house, around the house, outside my house, outside our house, outside the home, around my house, around our house, on the property, on my property, around the property, in the open air, external',
    `${BACK}, ${FRONT}, ${OUTER}`,
  ),
  area(
    'inside',
    'inside, indoors, indoor, in the house, inside the house, in the home, inside our home, in our house, interior, in my house, in my home, in our home, inside my house, inside our house, inside my home, inside the home, within the house, in the building, internal',
    'inside, indoor, living room, lounge, sitting room, kitchen, bedroom, hall, hallway, corridor, landing, nursery, basement, cellar, attic, loft, office, study, dining room, stairs, playroom, utility, bathroom, conservatory, sunroom, den, snug, mudroom, laundry, family room, garage, upstairs, downstairs',
  ),
  area(
    'front',
    'out front, front of the house, front of house, at the front of the house, front, front garden, front yard, front lawn, frontyard, frontage, round the front, around the front, front of my house, front of our house',
    FRONT,
  ),
  area(
    'back',
    'at the back, out back, round the back, back of the house, out the back, around back, rear, round back, around the back, rear of the house, behind the house, back of my house, back of our house, behind our house, behind my house',
    BACK,
  ),
  area('upstairs', 'upstairs, first floor, top floor, second floor, up the stairs', 'upstairs, attic, loft, landing'),
  area('downstairs', 'downstairs, ground floor, down the stairs', 'downstairs, basement, cellar'),
]
