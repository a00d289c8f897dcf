/**
 * What people might ask of the drawn scenes, and which actions answer it: 3 exactly, 2 nearly, 1 a little. Written from the scenes' summaries
 * before the ranking was tried on them. Those at even places may be looked at while the search is changed, those at odd places are held out.
 */
export interface Asked {
  readonly query: string
  /** Grade by `place/light/action`. */
  readonly answers: Readonly<Record<string, 1 | 2 | 3>>
}

const asked = (query: string, three: string, two = '', one = ''): Asked => {
  const grade = (ids: string, value: 1 | 2 | 3) => (ids === '' ? [] : ids.split(' ').map((id) => [id, value] as const))
  return { query, answers: Object.fromEntries([...grade(three, 3), ...grade(two, 2), ...grade(one, 1)]) }
}

const MAYA = 'front-door/day/maya front-door/night/maya front-door/dusk/maya'
const FOXES = 'driveway/night/fox backyard/night/fox street/night/fox'
const MEOWING =
  'living-room/day/sill living-room/day/nap living-room/dusk/nap living-room/night/sill living-room/day/company front-door/day/cat backyard/night/fence-cat'

export const ASKED: readonly Asked[] = [
  asked('courier leaving a parcel', 'driveway/day/courier front-door/day/courier', 'street/day/delivery'),
  asked('when did Maya come home', MAYA),
  asked('fox at night', FOXES),
  asked('somebody with a torch', 'living-room/night/torch garage/night/torch'),
  asked('cat on the sofa', 'living-room/day/nap living-room/dusk/nap', 'living-room/night/dash'),
  asked('dog barking at a cat', 'backyard/day/bark backyard/dusk/bark'),
  asked(
    'kids playing',
    'backyard/day/tag',
    'street/day/sledge front-door/night/children',
    'driveway/day/bike garage/day/bike',
  ),
  asked('red car', 'driveway/day/car'),
  asked('broken glass', 'living-room/night/dash'),
  asked('delivery van', 'street/day/delivery'),
  asked('person on a bicycle', 'street/day/cyclist street/dusk/cyclist driveway/day/bike garage/day/bike'),
  asked('suspicious person at the front door at night', 'front-door/night/visitor', 'driveway/night/visitor'),
  asked('who took the package in', 'driveway/day/courier front-door/day/courier'),
  asked('Sam walking the dog', 'front-door/night/dog-walk', '', 'street/day/dog-walk front-door/day/sam'),
  asked('headlights in the dark', 'driveway/night/car street/night/cars garage/night/arrive'),
  asked('cat meowing', MEOWING),
  asked('child riding out of the garage', 'garage/day/bike', '', 'driveway/day/bike'),
  asked('trick or treaters', 'front-door/night/children'),
  asked('watering the garden', 'backyard/day/watering'),
  asked('robot vacuum', 'living-room/day/robot'),
  asked('someone ringing the doorbell', 'front-door/day/courier front-door/night/visitor'),
  asked('jogger in orange', 'driveway/day/jogger driveway/dusk/jogger'),
  asked('car coming home to the garage', 'garage/day/arrive garage/night/arrive'),
  asked('dog fetching a ball', 'backyard/day/ball'),
  asked('animals in the backyard at night', 'backyard/night/fox backyard/night/fence-cat backyard/night/dog'),
  asked('man pulling a sled in the snow', 'street/day/sledge'),
  asked('person hammering', 'garage/day/bench garage/dusk/bench'),
  asked('woman with groceries', MAYA),
  asked('cat at the window', 'living-room/day/sill living-room/night/sill'),
  asked('people talking', 'front-door/night/children living-room/day/company'),
  asked('cyclist meets a car', 'street/day/cyclist street/dusk/cyclist'),
  asked('dog drinking water', 'backyard/night/dog'),
  asked('cat on the workbench', 'garage/day/cat garage/night/cat'),
  asked('someone walking home at night', 'street/night/walk driveway/night/walk', 'front-door/night/maya'),
  asked('neighbour in red', 'driveway/day/courier', '', 'street/day/dog-walk'),
  asked('two cars on the road in the dark', 'street/night/cars', '', 'street/night/walk'),
  asked('dog on the pavement', 'street/day/dog-walk'),
  asked('cat with white paws', 'garage/day/cat garage/night/cat', '', 'backyard/day/bark backyard/dusk/bark'),
  asked('somebody getting a book', 'living-room/night/torch'),
  asked('visitor who looks around and goes away', 'front-door/night/visitor driveway/night/visitor'),
  asked('dusk in the backyard', 'backyard/dusk/bark'),
  asked('fox looking into the camera', 'driveway/night/fox', 'backyard/night/fox', 'street/night/fox'),
  asked('stroking the cat', 'living-room/day/company'),
  asked('car parked in the driveway', 'driveway/day/car', 'driveway/night/car'),
  asked('Sam taking a parcel', 'front-door/day/courier', '', 'front-door/day/sam front-door/night/dog-walk'),
  asked('white cat on a fence', 'backyard/day/bark backyard/dusk/bark', 'backyard/night/fence-cat'),
  asked('coffee with the cat', 'living-room/day/company'),
  asked('Sam waving goodbye', 'front-door/day/sam', '', MAYA),
  asked('kitten asleep', 'living-room/day/nap living-room/dusk/nap'),
  asked('lorry or van in the street', 'street/day/delivery'),
]
