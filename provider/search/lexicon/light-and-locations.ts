import { group, type SynonymGroup, splitSynonyms } from './synonym-group.ts'

/** Times of day and light. */
export const SETTINGS: readonly SynonymGroup[] = [
  group(
    'night, nighttime, tonight, in the dark, dark outside, it is dark, dark street, dark road, dark garden, dark room, dark window, infrared, infra red, midnight, night time, nights, late at night, overnight, pitch black, after dark, nocturnal, nightly, dead of night, middle of the night, night vision',
    { setting: true, asks: 'dark, darkness' },
  ),
  group(
    'dusk, evening, twilight, sunset, nightfall, gloaming, evenings, sundown, getting dark, at dusk, half light, went dark, goes dark, sun going down, sun goes down',
    {
      setting: true,
    },
  ),
  group(
    'day, daytime, daylight, by day, during the day, broad daylight, day time, sunny, in daylight, daylight hours, in the daytime',
    {
      setting: true,
    },
  ),
  group('dawn, sunrise, daybreak, sunup, first light, crack of dawn', { setting: true }),
]

/** Locations that cameras are named after. A word of a group matches cameras whose name contains any word of it. */
export const PLACES: readonly (readonly string[])[] = [
  splitSynonyms(
    'front door, porch, entrance, doorstep, entry, front step, front steps, front porch, doorway, at the door, to the door, at my door, at our door, by the door, stoop, front stoop, front path, front entrance, main entrance, main door, outside my door, outside the door, outside our door, outside the front door, my doorstep, door step, threshold',
  ),
  splitSynonyms(
    'backyard, back yard, yard, garden, back garden, lawn, patio, terrace, deck, decking, courtyard, rear garden, back lawn, backgarden, rear yard, back patio, out in the garden, back deck',
  ),
  splitSynonyms(
    'driveway, the drive, our drive, my drive, on drive, drive way, driveways, front drive, parking space, parking spot',
  ),
  splitSynonyms('street, road, in the road, our road, my road, our street, my street, cul de sac'),
  splitSynonyms(
    'living room, lounge, sitting room, front room, family room, livingroom, front lounge, den, snug, tv room',
  ),
  splitSynonyms('garage, carport, workshop, car port'),
  splitSynonyms('kitchen'),
  splitSynonyms('bedroom, bed room, master bedroom'),
  splitSynonyms('bathroom, washroom, restroom'),
  splitSynonyms('dining room, diner'),
  splitSynonyms('playroom, play room, games room'),
  splitSynonyms('utility room, utility, laundry room, mudroom, mud room'),
  splitSynonyms('conservatory, sunroom, sun room, orangery'),
  splitSynonyms('balcony, veranda, verandah'),
  splitSynonyms('alley, alleyway, side passage, passageway, side of the house, side return, side gate, side alley'),
  splitSynonyms('hall, hallway, corridor, landing'),
  splitSynonyms('nursery, baby room, childs room, kids room, babys room, childrens room'),
  splitSynonyms('basement, cellar'),
  splitSynonyms('attic, loft'),
  splitSynonyms('office, study, home office'),
  splitSynonyms('gate, front gate'),
  splitSynonyms('pool, swimming pool'),
  splitSynonyms('shed, barn, garden shed, stable, stables'),
]
