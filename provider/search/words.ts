import type { TagId } from '../../contract/event-tags.ts'

/** Words that mean the same in front of a camera. */
export interface Group {
  /** Any of them stands for all; several words are a phrase. */
  readonly words: readonly string[]
  /** What is found too when one of `words` is asked for, but does not ask for them itself: kinds of it, or signs of it. */
  readonly also?: readonly string[]
  /** What a bridge tags it with. */
  readonly tags?: readonly TagId[]
  /** Says where or when, not what: alone it finds, but it makes nothing else found. */
  readonly setting?: true
}

const split = (text: string) => text.split(',').map((word) => word.trim())
const group = (words: string, more: { also?: string; tags?: TagId[]; setting?: true } = {}): Group => ({
  words: split(words),
  ...(more.also === undefined ? {} : { also: split(more.also) }),
  ...(more.tags === undefined ? {} : { tags: more.tags }),
  ...(more.setting === undefined ? {} : { setting: more.setting }),
})

const PEOPLE = 'child, children, courier, neighbour, jogger, cyclist, driver'

/** Words are matched by their stem: `walk` stands for walks, walking and walked. */
export const GROUPS: readonly Group[] = [
  group('person, people, somebody, someone, anybody, anyone, human, adult', {
    also: `man, men, woman, women, visitor, stranger, ${PEOPLE}`,
    tags: ['101'],
  }),
  group('man, men, guy, gentleman', { also: 'somebody, someone, person' }),
  group('woman, women, lady', { also: 'somebody, someone, person' }),
  group('visitor, visit, guest, caller, calls at, company', { also: 'somebody, rings' }),
  group('stranger, intruder, burglar, prowler, thief, trespasser, suspicious, lurking, snooping, sneaking, unknown', {
    also: 'looks around, looks round, dark top, torch',
  }),
  group('child, children, kid, boy, girl, toddler, youngster, teenager'),
  group('neighbour, neighbor'),
  group('courier, postman, mailman, postwoman, mail carrier, delivery, deliver, delivered, post'),
  group('parcel, package, box, packet', { tags: ['104'] }),
  group('car, automobile, sedan, saloon', { also: 'vehicle, van, headlights' }),
  group('vehicle, traffic', { also: 'car, van, truck, lorry, motorbike, headlights', tags: ['102'] }),
  group('van, truck, lorry, pickup', { also: 'vehicle' }),
  group('headlights, headlamps, lights'),
  group('driver, motorist'),
  group('bike, bicycle, cyclist, cycling, biker, cycle'),
  group('sledge, sled, sledding, sleigh, toboggan'),
  group('animal, wildlife, beast, creature', { also: 'pet, dog, cat, fox, bird', tags: ['103'] }),
  group('pet', { also: 'dog, cat, puppy, kitten', tags: ['103'] }),
  group('dog, puppy, pup, hound, doggy, canine'),
  group('cat, kitten, kitty, feline'),
  group('fox, foxes, vixen', { also: 'animal' }),
  group('barking, bark, woof, yapping', { tags: ['800002'] }),
  group('meowing, meow, miaow, mew, mewing', { tags: ['800001'] }),
  group('crying, cry, sobbing, wailing', { tags: ['800003'] }),
  group('talking, talk, speak, speaking, voice, chat, conversation, spoke', { tags: ['800005'] }),
  group('gunshot, gun shot, gunfire', { tags: ['800006'] }),
  group(
    'glass breaking, breaking glass, broken glass, smashed glass, glass breaks, shattered glass, glass shattering',
    {
      tags: ['800007'],
    },
  ),
  group('break, broke, broken, smash, shatter, crash'),
  group('alarm, siren, smoke detector', { tags: ['100285'] }),
  group('sound, noise, heard, hear, audio', { tags: ['5'] }),
  group('ring, rang, doorbell, bell, ringing'),
  group('knock, knocked, knocking'),
  group('face', { tags: ['12'] }),
  group('night, nighttime, tonight, dark, darkness, infrared, infra red, midnight', { setting: true }),
  group('dusk, evening, twilight, sunset, nightfall', { setting: true }),
  group('day, daytime, daylight', { setting: true }),
  group('arrive, arrival, return, come home, came home, comes home, get home, got home, get back, got back', {
    also: 'drives in, walks home',
  }),
  group('leave, left, depart, departure, exit, go out, went out, comes out, walks off, drives off'),
  group('park, parking, parked'),
  group('run, ran, running, jog, jogger, jogging, runner'),
  group('walk, walker, stroll, pedestrian, on foot, passer by'),
  group('ride, rode, riding'),
  group('chase, chasing, play, playing, race'),
  group('jump, hop, leap'),
  group('wave, greet, greeting, hello'),
  group('water, watering, hose, sprinkler'),
  group('gardening, gardener', { also: 'waters, vegetable, mowing, digging' }),
  group('drink, drank, thirsty', { also: 'mug' }),
  group('mug, cup, coffee, tea'),
  group('torch, flashlight, torchlight'),
  group('sofa, couch, settee'),
  group('nap, sleep, slept, asleep, snooze, doze'),
  group('window sill, windowsill, sill, window'),
  group('hoover, vacuum, vacuum cleaner, roomba, robot'),
  group('workbench, bench'),
  group('hammer, hammering, diy, tools', { also: 'workbench' }),
  group('halloween, trick or treat, trick or treating, pumpkin, lantern, costume'),
  group('shopping, groceries, shopping bags'),
  group('stroke, cuddle, petting, fuss'),
  group('mat, doormat, doorstep'),
  group('steps, stairs'),
  group('pavement, sidewalk, footpath'),
  group('grey, gray'),
  group('gold, golden'),
  group('open, opens, opened, goes up, went up'),
  group('unload, unpack'),
  group('sweep, swept'),
  group('moon, moonlight, moonlit'),
]

/** Places that cameras are named after: such a word asks for a camera whose name has one of its group. */
export const PLACES: readonly (readonly string[])[] = [
  split('front door, door, porch, entrance, doorstep, entry'),
  split('backyard, back yard, yard, garden, back garden, lawn'),
  split('driveway, drive'),
  split('street, road'),
  split('living room, lounge, sitting room'),
  split('garage, carport'),
]

/** Words that say nothing about what a clip shows; days are chosen beside the query. */
export const STOP_WORDS: ReadonlySet<string> = new Set(
  `a an the and or of in on at by with to from for is are was were be been being am do does did done has have had having it
  its this that these those there here me my mine our ours we us i you your he his him she her hers they them their who whom
  whose what when where which why how s t d m re ve ll show find search give get got go goes went going come comes came any all
  some every each anything something everything nothing happen happens happened happening please can could did would will
  should may might as if then than so just only also too very much many clip clips video videos footage recording recordings
  camera cameras event events moment moments time times today yesterday monday tuesday wednesday thursday friday saturday sunday morning afternoon week month ever last recent recently
  latest newest first ago during while after before until till since between up down out off into onto over under about around
  round along past through across near next behind beside inside outside away back again not no`.split(/\s+/),
)
