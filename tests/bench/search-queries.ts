/**
 * Query about the rendered scenes with graded answers: 3 exact, 2 close, 1 partial. The queries in `GRADED_QUERIES`
 * were written from the scenes' summaries before the search first ran on them. Developers do not tune the search with
 * the queries at odd positions.
 */
export interface GradedQuery {
  readonly query: string
  /** Grade by event id (`scene/light/action`). */
  readonly answers: Readonly<Record<string, 1 | 2 | 3>>
}

const createGradedQuery = (query: string, exactIds: string, closeIds = '', partialIds = ''): GradedQuery => {
  const grade = (ids: string, value: 1 | 2 | 3) => (ids === '' ? [] : ids.split(' ').map((id) => [id, value] as const))
  return { query, answers: Object.fromEntries([...grade(exactIds, 3), ...grade(closeIds, 2), ...grade(partialIds, 1)]) }
}

const MAYA_EVENTS = 'front-door/day/maya front-door/night/maya front-door/dusk/maya'
const FOX_EVENTS = 'driveway/night/fox backyard/night/fox street/night/fox'
const MEOWING_EVENTS =
  'living-room/day/sill living-room/day/nap living-room/dusk/nap living-room/night/sill living-room/day/company front-door/day/cat backyard/night/fence-cat'

export const GRADED_QUERIES: readonly GradedQuery[] = [
  createGradedQuery('courier leaving a parcel', 'driveway/day/courier front-door/day/courier', 'street/day/delivery'),
  createGradedQuery('when did Maya come home', MAYA_EVENTS),
  createGradedQuery('fox at night', FOX_EVENTS),
  createGradedQuery('somebody with a torch', 'living-room/night/torch garage/night/torch'),
  createGradedQuery('cat on the sofa', 'living-room/day/nap living-room/dusk/nap', 'living-room/night/dash'),
  createGradedQuery('dog barking at a cat', 'backyard/day/bark backyard/dusk/bark'),
  createGradedQuery(
    'kids playing',
    'backyard/day/tag',
    'street/day/sledge front-door/night/children',
    'driveway/day/bike garage/day/bike',
  ),
  createGradedQuery('red car', 'driveway/day/car'),
  createGradedQuery('broken glass', 'living-room/night/dash'),
  createGradedQuery('delivery van', 'street/day/delivery'),
  createGradedQuery('person on a bicycle', 'street/day/cyclist street/dusk/cyclist driveway/day/bike garage/day/bike'),
  createGradedQuery(
    'suspicious person at the front door at night',
    'front-door/night/visitor',
    'driveway/night/visitor',
  ),
  createGradedQuery('who took the package in', 'driveway/day/courier front-door/day/courier'),
  createGradedQuery('Sam walking the dog', 'front-door/night/dog-walk', '', 'street/day/dog-walk front-door/day/sam'),
  createGradedQuery('headlights in the dark', 'driveway/night/car street/night/cars garage/night/arrive'),
  createGradedQuery('cat meowing', MEOWING_EVENTS),
  createGradedQuery('child riding out of the garage', 'garage/day/bike', '', 'driveway/day/bike'),
  createGradedQuery('trick or treaters', 'front-door/night/children'),
  createGradedQuery('watering the garden', 'backyard/day/watering'),
  createGradedQuery('robot vacuum', 'living-room/day/robot'),
  createGradedQuery('someone ringing the doorbell', 'front-door/day/courier front-door/night/visitor'),
  createGradedQuery('jogger in orange', 'driveway/day/jogger driveway/dusk/jogger'),
  createGradedQuery('car coming home to the garage', 'garage/day/arrive garage/night/arrive'),
  createGradedQuery('dog fetching a ball', 'backyard/day/ball'),
  createGradedQuery(
    'animals in the backyard at night',
    'backyard/night/fox backyard/night/fence-cat backyard/night/dog',
  ),
  createGradedQuery('man pulling a sled in the snow', 'street/day/sledge'),
  createGradedQuery('person hammering', 'garage/day/bench garage/dusk/bench'),
  createGradedQuery('woman with groceries', MAYA_EVENTS),
  createGradedQuery('cat at the window', 'living-room/day/sill living-room/night/sill'),
  createGradedQuery('people talking', 'front-door/night/children living-room/day/company'),
  createGradedQuery('cyclist meets a car', 'street/day/cyclist street/dusk/cyclist'),
  createGradedQuery('dog drinking water', 'backyard/night/dog'),
  createGradedQuery('cat on the workbench', 'garage/day/cat garage/night/cat'),
  createGradedQuery('someone walking home at night', 'street/night/walk driveway/night/walk', 'front-door/night/maya'),
  createGradedQuery('neighbour in red', 'driveway/day/courier', '', 'street/day/dog-walk'),
  createGradedQuery('two cars on the road in the dark', 'street/night/cars', '', 'street/night/walk'),
  createGradedQuery('dog on the pavement', 'street/day/dog-walk'),
  createGradedQuery(
    'cat with white paws',
    'garage/day/cat garage/night/cat',
    '',
    'backyard/day/bark backyard/dusk/bark',
  ),
  createGradedQuery('somebody getting a book', 'living-room/night/torch'),
  createGradedQuery('visitor who looks around and goes away', 'front-door/night/visitor driveway/night/visitor'),
  createGradedQuery('dusk in the backyard', 'backyard/dusk/bark'),
  createGradedQuery('fox looking into the camera', 'driveway/night/fox', 'backyard/night/fox', 'street/night/fox'),
  createGradedQuery('stroking the cat', 'living-room/day/company'),
  createGradedQuery('car parked in the driveway', 'driveway/day/car', 'driveway/night/car'),
  createGradedQuery(
    'Sam taking a parcel',
    'front-door/day/courier',
    '',
    'front-door/day/sam front-door/night/dog-walk',
  ),
  createGradedQuery('white cat on a fence', 'backyard/day/bark backyard/dusk/bark', 'backyard/night/fence-cat'),
  createGradedQuery('coffee with the cat', 'living-room/day/company'),
  createGradedQuery('Sam waving goodbye', 'front-door/day/sam', '', MAYA_EVENTS),
  createGradedQuery('kitten asleep', 'living-room/day/nap living-room/dusk/nap'),
  createGradedQuery('lorry or van in the street', 'street/day/delivery'),
]
