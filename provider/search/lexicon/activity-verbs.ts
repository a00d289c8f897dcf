import { doing, moving, type SynonymGroup } from './synonym-group.ts'

/** Actions of eyes, hands and mouth. */
export const DOINGS: readonly SynonymGroup[] = [
  moving(
    'look around, looks around, looks round, peer, peering, peek, peeking, searching, nose about, rummage, rummaging, scout, sniff, sniffing, sniffs, explore, exploring, inspect, inspects, inspecting, investigate, check out, poke around, examine, examines, sniffed, explores, searches, searched, rummages, scouting, peers, peered, peeks, investigating, investigates, nosy, forage, foraging, forages, examining',
    'snooping, shines a torch, shines a flashlight, torch beam',
    'snoop, look round, looking around, looking round, looked around, looked round, noses about, nosing about, nosing around, nose around, noses around, nosey, checking out, checked out, checks out, poking around, poking about, poke about, have a look, having a look, has a look, had a look, have a nose, having a nose, have a look around, looking through, looks through, look through, looked through, go through, goes through, going through, went through, searching for, search through, searching through, looking in, looks in, look in, looking inside, peeping, peering in, looking under, have a sniff, sniff around, sniffing around, sniffing about',
  ),
  moving(
    'look, looks, looking, watch, watching, watches, stare, staring, stares, gaze, looked, looks up, look at, looking at, watched, stared, gazes, gazing, glance, glances, glancing, spy, spying',
    'looks around, looks round',
    'looks at, looked at, keep an eye, keeping an eye, keeps watch, look out, looks out, looking out, looked out, look up, looking up, looks into, looking into, look into',
  ),
  doing('hunt, hunts, hunting, stalk, stalking, stalks, stalked, hunted, preying'),
  doing(
    'water, watering, waters, watered, watering can',
    'hose, hosepipe, sprinkler',
    'hosing, watering the garden, watering the plants, watering the flowers, watering the lawn, waters the plants, watered the plants, water the plants, hosing down, spraying',
  ),
  doing(
    'gardening, yard work, tend, tending, weeding, yardwork, weeds, weeded, pruning, prune, tends',
    'waters, vegetable, mowing, digging, watering, trimming',
    'planting, planted, garden work, work in the garden, works in the garden, working in the garden, worked in the garden, working in the yard, work in the yard, pulling weeds, potting, repotting, hoeing, pottering',
  ),
  doing(
    'trim, trimming, trims, trimmed, clipping, clippers, shears, hedge trimmer, chop',
    '',
    'cutting the hedge, cut the hedge, cuts the hedge, trimming the hedge, pruning, cutting down, chop down, chopping down',
  ),
  doing(
    'dig, digs, digging, dug, burrow, burrowing, hole',
    '',
    'digging a hole, dug a hole, digging up, dug up, dig up, digs up, digging holes',
  ),
  doing(
    'drink, drank, thirsty, drinking, drinks, sip, sips, sipping, slurp, slurps',
    '',
    'lapping, laps, drinking water, drinks water, drink water, drank water, have a drink, having a drink, has a drink, had a drink',
  ),
  doing(
    'eat, eats, eating, eaten, feed, feeds, feeding, fed, munch, munching, graze, grazing, breakfast, lunch, dinner, hungry, scoff, devour, munches, gobble, chomp',
    '',
    'ate, having breakfast, having lunch, having dinner, have breakfast, have lunch, have dinner, had lunch, had dinner',
  ),
  doing(
    'cook, cooking, cooks, cooked, bake, baking, fry, frying, bakes',
    '',
    'make dinner, making dinner, making breakfast, making food, make food',
  ),
  doing(
    'nap, sleep, slept, asleep, snooze, doze, sleeping, sleeps, napping, naps, sleepy, dozing, rest, resting, curl up, snoozing, snoozes, dozes, napped, dozed, kip, slumber, snore, snoring, lounging, siesta, rested',
    'lies',
    'nod off, nods off, nodding off, lounge about, fast asleep, have a nap, having a nap, takes a nap, taking a nap, took a nap, take a nap, had a nap, has a nap, cat nap, catnap, falls asleep, fell asleep, having a rest, having a kip, having a snooze, forty winks, curling up, curled up, curls up, relax, relaxing, relaxes, chilling, chill, chilling out',
  ),
  doing(
    'lie, lies, lying, sprawl, sprawled, sprawling',
    'nap, sleep',
    'lying down, lies down, laying down, laid down, lay down, lie down, laying, lying about',
  ),
  doing(
    'wake, wakes, woke, waking, awake, wakes up, stretch, stretches, stretching, yawn, yawning',
    '',
    'woke up, wake up, waking up, get up, gets up, got up, getting up',
  ),
  doing(
    'sit, sits, sitting, sat, sits down, seated, perch, perched, perches, perching, squat',
    '',
    'sit down, sat down, sitting down, takes a seat, taking a seat, sit around, sitting around',
  ),
  doing(
    'kneels, kneeling, knelt, bend, bends, bending, bent, stooping',
    '',
    'kneel, bends down, bending down, bent down, bend over, bending over, on his knees',
  ),
  doing('hammer, hammering, diy, hammers, bang, banging, nail, nailing, hammered, mallet, bangs, banged, nails'),
  doing(
    'repair, fix, work on, works, working, woodwork, woodworking, tinker, tinkering, craft, build, fixing, repairing, carpentry, fixes, repairs, fixed, repaired, mend, mending, mends, mended, assemble, assembling, install, installing, builds, renovate, renovation, renovating, built',
    'hammers',
    'building something, work, worked, works on, building a, do it yourself, working on, worked on, doing diy, do some diy, job, set up, setting up, put together, putting together',
  ),
  doing(
    'paint, painting, paints, painted, decorate, decorating, decorates, paintbrush',
    '',
    'painting the fence, painting the house',
  ),
  doing(
    'stroke, cuddle, petting, fuss, stroked, stroking, pat, patting, cuddling, strokes, petted, cuddles, cuddled, snuggle, snuggling, pats, patted, fussing, tickle, rub, rubbing, nuzzle, rubs, cosy, snuggles',
    '',
    'pets the cat, pets the dog, petting the cat, petting the dog, making a fuss, belly rub, belly rubs',
  ),
  doing(
    'scratching, scratches, scratched, claw, clawing, claws',
    '',
    'scratching at the door, scratching the door, scratching the sofa, scratching post, pawing',
  ),
  doing(
    'groom, grooming, grooms, lick, licking, licks, preen, preening',
    '',
    'washing itself, cleaning itself, licking itself',
  ),
  moving(
    'carry, carries, carrying, carried, hold, holding, lug, hauling, holds, held, lugging, hauls, haul, clutching, clutches',
  ),
  moving('bring, brings, bringing, brought', 'carries, delivery, leaves a parcel'),
  moving(
    'take in, takes it in, take inside, took in, pick up, takes the parcel, take a parcel, bring in, brought in, taken in, collect, collects, collecting, grab, grabs, accept, accepts, receive, receives, collected, grabbed, grabbing, received, lift, lifts, lifting, lifted, collection',
    '',
    'picks up, picked up, picking up, pick it up, takes in, taking in, brings in, bringing in, take it in, took it in, accepting, brings it in, brought it in, taking it in, bring it in, takes inside, picks it up, picked it up, signs for, signed for, taking delivery, take delivery',
  ),
  moving('take, takes, took, taking, taken', 'fetches, picks up, lifts, carries'),
  doing(
    'steal, stole, stealing, steals, theft, stolen, nicked, pinch, pinched, swipe, pinching, swiped, shoplifting, snatch, snatched, snatches, nicking, thieving, looting, burgle, pilfer',
    '',
    'make off with, made off with, making off with, get away with, got away with, walk off with, walks off with, walked off with, ran off with, run off with, runs off with',
  ),
  moving(
    'put down, puts, set down, place on, leave on',
    '',
    'puts down, put, putting down, putting, set it down, put it down, puts it down, laid, laying, placing, places on, leaves on, left on',
  ),
  doing(
    'open, opens, opened, goes up, went up, opening, ajar, rolls up',
    '',
    'wide open, left open, opens up, open up, going up',
  ),
  doing(
    'close, closes, closed, shut, shuts, closing, slam, slams, slammed, shutting',
    '',
    'pulls the door shut, door slam, goes down, close the, closing the',
  ),
  doing(
    'load, loading, loads, loaded, packing, packs',
    '',
    'load up, loading up, packing the car, pack the car, loading the car',
  ),
  doing(
    'unload, unpack, unloads, unloading, unloaded, unpacking, unpacks',
    '',
    'taking out of the car, take out of the car, getting the shopping out',
  ),
  doing('removal men, removal van', '', 'removal, removals, moving day, moving house'),
  moving(
    'turn, turns, turning, turned, spin, spins, spinning, twirl',
    '',
    'turn around, turns around, turning around, turned around, turn round, turns round, u turn, three point turn, turning round, turned round',
  ),
  doing('push, pushes, pushing, pushed, shove, shoving, shoves'),
  doing('pull, pulls, pulling, pulled, drag, dragging, tow, towing, tug, draws, drags, dragged, towed'),
  doing('sweep, swept, sweeps, sweeping', '', 'sweeping up, sweep up, brush up, brushing up, sweeping the floor'),
  doing(
    'clean, cleaning, cleans, cleaned, tidy, tidying, tidies, wipe, wiping, wipes, scrub, scrubbing, polish, polishing, tidied, wiped, spring cleaning',
    'sweeps, mops, hoovers',
    'tidy up, tidying up, clean up, cleaning up, cleaned up, housework, doing the housework, chores, clear up, clearing up',
  ),
  doing(
    'wash, washes, washed, washing, rinse, soap, carwash, pressure washer, jet wash, rinsing',
    '',
    'washing the car, wash the car, washing my car, car wash, washes the car, washed the car, pressure washing, power washing, jet washing, power washer, cleaning the car',
  ),
  doing('meet, meets, meeting, met', 'bumps into', 'met up, meet up, meeting up, come across, came across, run into'),
  doing('shake, shakes, shaking, shook, shaken, handshake', '', 'shakes hands, shaking hands, shake hands'),
  doing(
    'exercise, exercising, workout, yoga, gym, exercises',
    'jogger, jogging',
    'press ups, push ups, working out, work out, works out, star jumps, keeping fit',
  ),
  doing('read, reading, reads'),
  doing(
    'write, writing, wrote, writes, written, graffiti, chalk',
    '',
    'spray painting, spray paint, spray painted, tagging, tagged the wall',
  ),
  doing(
    'cigarette, cigarettes, cig, ciggy, vape, vaping, cigar, vapes, spliff, lighter',
    '',
    'smokes, smoking, smoking a cigarette, smokes a cigarette, smoked, having a smoke, having a fag, have a smoke, have a fag, fag, fags, fag break, smoking weed, smoking a joint, smoking outside',
  ),
  doing(
    'photograph, photographs, photographing, photo, photos, selfie',
    '',
    'taking photos, taking pictures, takes pictures, taking a photo, taking a picture, took a picture, took a photo, take pictures, take photos, filming',
  ),
  doing(
    'phoning, texting, scrolling, phoned',
    'phone, smartphone',
    'making a call, making a phone call, on a call, phone call, talking on the phone, texts, on the phone, on his phone, on her phone',
  ),
  doing('spit, spits, spitting, spat'),
  doing('fly, flies, flying, flew, flown, hover, hovering, flap, flapping, hovers, flutter, fluttering, swoop, swoops'),
  doing('crawl, crawls, crawling, crawled, slither, slithering, creep, creeping, crept'),
  doing('trapped, stuck, trap, traps'),
  doing(
    'escape, escapes, escaping, escaped, fled, flee, flees, fleeing',
    'runs away, runs off',
    'run off, ran off, running off, run away, ran away, running away, run for it, made off, got loose, on the loose, gets loose, got out of the garden, breaks free',
  ),
]
