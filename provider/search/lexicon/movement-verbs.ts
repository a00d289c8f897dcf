import { doing, moving, type SynonymGroup } from './synonym-group.ts'

/** Coming and going, movement, and accidents: actions on feet or wheels. */
export const COMINGS: readonly SynonymGroup[] = [
  doing(
    'break, broke, broken, smash, shatter, crash, knock over, knocked over, smashing, breaks, smashed, damage, damaged, damaging, wreck, wrecked, ruin, ruined, destroy, destroyed, dent, crashed, crashes',
    '',
    'knocks over, knocking over, knocked off, knocks off, knocking off, tipped over, knocked down, knocks down, broken down',
  ),
  doing(
    'accident, collision, collide, collides, collided, hit, hits, hitting, bump, bumped, bumps',
    'crash',
    'ran over, run over, runs over, backed into, ran into, crashed into, car crash, hit and run',
  ),
  doing(
    'ring, rang, doorbell, bell, ringing, door bell, buzzer, buzzing, rings, rung, doorbells, chime, chimes',
    '',
    'rings the bell, ring the bell, rang the bell, ring the doorbell, rang the doorbell, rings the doorbell, ringing the doorbell, ringing the bell, pressed the bell, pressing the bell, pressed the doorbell, press the doorbell',
  ),
  doing(
    'knock, knocked, knocking, knocks, tap, taps, tapping, tapped',
    'rings',
    'knock on the door, knocks on the door, knocked on the door, knocking on the door, knocking at the door, knock at the door, knocked at the door, knocks at the door, banging on the door, banged on the door, knocking on my door, knock on my door, knocked on my door, knocked on our door',
  ),
  moving(
    'arrive, arrival, return, come home, came home, get home, got home, came back, come back, back home, home from, returning, arrives, arrived, returned, returns, arriving',
    'drives in, walks home, turns in',
    'arrive home, arrives home, arrived home, comes home, coming home, getting home, gets home, get back, got back, gets back, comes back, coming back, got in, get in, gets in, back from work, home from work, home from school, get home from school, got home from school, gets home from school, come home from school, came home from school, comes home from school, get home from work, got home from work, gets home from work, come home from work, came home from work, comes home from work, coming home from work, coming home from school, get back from school, got back from school, get back from work, got back from work, back from school, home late, come home late, came in late, walk home, walked home, reach home, made it home, reached home, pulls in, pulled in, pulling in, pull in',
  ),
  moving(
    'leave, left, depart, departure, exit, go out, went out, comes out, walks off, drives off, walk away, drive away, goes away, leaving, set off, drove off, came out, leaves, departs, exits, leaving home, exited, departed',
    'reverses, backs out, backs down',
    'goes out, going out, gone out, heads out, heading out, headed out, head out, head off, heads off, headed off, drive off, driving off, drives away, drove away, driving away, walk off, walks away, walked away, walking away, walking off, walked off, go away, went away, going away, come out, coming out, get out, got out, gets out, getting out, left home, left the house, leave the house, leaves the house, leaving the house, left for work, leave for work, leaving for work, leaves for work, go to work, went to work, going to work, go to school, went to school, goes to work, pull out, pulls out, pulled out, pulling out, pull away, pulls away, pulled away, setting off, sets off, taking off, took off, take off, let out, lets out, letting out, out of the house, out the house',
  ),
  moving(
    'enter, go in, goes in, went in, come in, comes in, came in, enters, entered, entering, walks in',
    'drives in, comes home',
    'going in, coming in, gone in, walk in, walked in, walking in, go inside, goes inside, went inside, going inside, come inside, came inside, comes inside, let in, lets in, letting in, enters the house, run inside, ran inside, head inside, get inside, gets inside, got inside, getting inside, come into, came into, comes into, go into, goes into, went into, getting into, get into, got into, gets into',
  ),
  moving(
    'approach, approaches, approaching, approached, walks up, comes up, drives up, runs up, heads towards',
    '',
    'walk up, walked up, walking up, come up, came up, coming up, came to the door, come to the door, comes to the door, coming to the door, came up to the door, go up to, goes up to, went up to, come near, came near, getting close, gets close, got close',
  ),
  doing('park, parking, parked, parks, parked up', 'turns in, drives in, pulls up'),
  moving(
    'stop, stops, stopping, stopped, pull up, halt',
    '',
    'pulls up, pulled up, pulling up, pulls over, pull over, pulled over, came to a stop, comes to a stop, stand still, stands still',
  ),
  moving(
    'reverse, reverses, reversing, reversed, backs out, backs down',
    '',
    'backing out, back out, backed out, backing up, backs up, back up, backed up, backing down, backing in',
  ),
  moving('drive, driving, drove, drives, driven', 'turns in', 'go for a drive'),
  moving(
    'speeding, speed, speeds, sped, revving, skid, skidding, wheelspin, swerve, swerving',
    '',
    'going too fast, driving fast, drives fast, driving too fast, drove too fast, boy racer, boy racers, joyrider, burnout, donuts',
  ),
  moving(
    'pass, passes by, goes by, passing, passed, run past, goes past, walk past, drive past, drives by, rides by, walks by',
    '',
    'pass by, passing by, passed by, runs past, going past, go past, went past, go by, went by, going by, walking past, walked past, walks past, drives past, drove past, driving past, drove by, drive by, driving by, walking by, walk by, walked by, ran past, running past, riding past, rides past, rode past, come past, came past, comes past, coming past, riding by, rode by, ran by, runs by, flies past, cycled past, cycling past, cycles past, jogging past, overtakes',
  ),
  moving(
    'run, ran, running, sprint, dash, dashes, dashing, runs, sprints, sprinting, gallop, scurry, scamper, darted, dart',
    'jog, jogger, race',
  ),
  moving(
    'walk, walker, stroll, pedestrian, on foot, passer by, walking, strolling, walked, wander, wandering, stride, passerby, walks, passersby, pedestrians, strolls, wanders, wandered, amble, march, marching, tread, strides, strode, tiptoe, roam, roaming, pace, pacing, paces, walkers, hike, trudge',
    'trot',
    'going for a walk, goes for a walk, went for a walk, go for a walk, on a walk, out for a walk, passers by',
  ),
  moving('ride, rode, riding, rides, ridden, rider'),
  moving('cross, crosses, crossing, crossed', '', 'go across, goes across, went across, walks across, going across'),
  moving('trot, trots, trotting, trotted', 'walk, run'),
  doing(
    'chase, chasing, race, chases, chased, racing, pursue, tag, pursuing, pursuit, raced, races',
    '',
    'run after, running after, runs after, ran after, go after, going after, went after, goes after',
  ),
  moving('follow, follows, following, followed', 'chase'),
  doing(
    'play, playing, plays, played, game, playful, fun, messing about, frolic, frolicking, games, mess about, romp',
    'chase, ball, hop about, sledge',
    'messing around, mucking about, mucking around, fooling around, having fun, has fun, horsing around',
  ),
  doing(
    'fetch, fetches, fetching, brings it back, retrieve, bring back, retrieving, fetched, retrieves',
    'ball',
    'plays fetch, playing fetch, play fetch, played fetch, game of fetch',
  ),
  doing(
    'throw, throws, throwing, threw, thrown, toss, tosses, tossing, tossed, chuck, chucking, fling, lob, hurl',
    '',
    'throw away, throw out, throws away, threw away, throwing away, chucked out',
  ),
  doing('catch, catches, catching'),
  doing('kick, kicks, kicking, kicked', '', 'kick about, kickabout, kickball'),
  doing(
    'zoomies, zoom, rush, rushes, rushing, tear around, tearing around, tearing round, careering, hyper, rushed, zooming, zooms, hurtle, hurtling, hurry, hurrying, hurries',
    'race, races, run, dash, chase',
    'go crazy, going crazy, goes crazy, running around like crazy, tearing around, having a mad half hour, mad half hour, going wild, tearing about, went crazy, running around, runs around, ran around, run around, charging about',
  ),
  moving(
    'wait, waits, waiting, stand, stands, standing, linger, lingering, loiter, loitering, stood, waited, loiters, lingers, lingered, loitered',
    'looks around, looks round, hang around',
    'hang around, hanging around, hang about, hanging about, hang out, hangs around, hung around, hanging out, hangs about, hangs out, stand around, standing around, standing about, standing outside, waiting around',
  ),
  doing('hide, hides, hiding, hid, hidden, crouch, crouching, crouches, crouched', '', 'hide and seek, ducking'),
  doing(
    'jump, hop, leap, jumps, jumping, leaping, hopping, pounce, bounce, springs up, leaps, leapt, jumped, hops, hopped, pounces, pounced, bouncing, vault, vaulting',
  ),
  doing(
    'climb, climbs, climbing, climbed, clamber, climber, scramble, clambers, clambering',
    'jump on, onto, jumps up, springs up, leaps up',
    'climb over, climbs over, climbing over, climbed over, jumped over the fence, jump the fence, jumped the fence, hop the fence, hopped the fence, hopping the fence',
  ),
  doing(
    'wave, greet, greeting, hello, waves, waving, waved, goodbye, bye, greets, greeted',
    '',
    'say hi, says hi, said hi, say hello, says hello, said hello, waves goodbye, say goodbye, saying hello, saying goodbye, says goodbye, say bye, wave hello, waving at the camera, waves at the camera, waving hello, waving goodbye, saying hi',
  ),
  doing('point, points, pointing, pointed, gesture, gesturing', '', 'pointing at, points at'),
  doing('hug, hugs, hugging, hugged, embrace, kiss, kissing, kisses, kissed, embracing, snog', '', 'making out'),
  doing(
    'fight, fights, fighting, fought, brawl, scuffle, punch, punching, punches, punched, attack, attacks, attacking, attacked, assault, brawling, wrestle, wrestling, slap, slaps',
    '',
    'mugging, mugged, beating up, beat up, beaten up, punch up, dog fight, cat fight',
  ),
  doing(
    'argue, argues, arguing, argued, argument, quarrel, quarrelling, quarreling, squabble, squabbling, dispute',
    'shouting',
    'having a row, falling out, having an argument',
  ),
  doing(
    'bite, bites, biting, bitten, chew, chews, chewing, gnaw, gnawing, chewed, nibble, nibbling, nip',
    '',
    'chew up, chewed up, chewing up',
  ),
  doing(
    'fall, falls, falling, fell, fallen, trip, slip, stumble, tumble, slips, slipped, slipping, trips, tripped, tripping, stumbles, stumbling, stumbled, collapse, collapsed, collapses, faint, fainted, tumbles, tumbled, topple, slippery',
    '',
    'fall over, fell over, falls over, falling over, fall down, fell down, falls down, falling down, fell off, fall off, falls off, have a fall, had a fall',
  ),
  doing(
    'injured, injury, hurt, hurting, wound, wounded, limp, limping, limps, bleeding, blood, unconscious',
    '',
    'in pain, heart attack',
  ),
  doing(
    'sick, vomit, vomiting, vomits, vomited, puke, puking, unwell',
    '',
    'throw up, throwing up, threw up, throws up, being sick, was sick, thrown up',
  ),
  doing('drop, drops, dropping, dropped', 'fall'),
]
