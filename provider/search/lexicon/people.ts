import { group, type SynonymGroup } from './synonym-group.ts'

const CHILDREN = 'child, children, kid, boy, girl, toddler, youngster, teenager, baby'
const FAMILY =
  'mum, mom, mother, wife, girlfriend, dad, father, husband, boyfriend, granny, grandma, grandmother, grandad, grandpa, grandfather, son, daughter, sister, brother, uncle, aunt, auntie, parent'
const TRADES =
  'courier, postman, postwoman, mailman, plumber, electrician, builder, workman, workwoman, labourer, laborer, painter, salesman, saleswoman, engineer, technician, repairman, handyman, landscaper, roofer, policeman, policewoman, officer, constable, nurse, carer, nanny, babysitter, fireman, firefighter, paramedic, soldier, landlord, tenant'
const PASSING =
  'neighbour, neighbor, jogger, cyclist, driver, motorist, pedestrian, walker, runner, visitor, stranger, intruder, burglar, guest, passer, passerby, rider, skater, skateboarder, friend, shopper, worker'
const MEN_AND_WOMEN = 'man, men, woman, women, lady, guy, gentleman, bloke'

/** People. Words match by their stem: `walk` stands for walks, walking and walked. */
export const BEINGS: readonly SynonymGroup[] = [
  group(
    'person, people, somebody, someone, anybody, anyone, human, adult, folk, individual, figure, somebody else, persons, everybody, everyone, someone else, anyone else, humans, adults, grown up, grownup, silhouette, bystander',
    { also: `${MEN_AND_WOMEN}, ${PASSING}, ${TRADES}, ${FAMILY}, ${CHILDREN}`, tags: ['101'] },
  ),
  group(
    'man, men, guy, gentleman, bloke, dude, fella, fellow, male, gent, chap, geezer, lad, lads, guys, blokes, feller, mister, gentlemen, old guy',
    {
      also: 'somebody, someone, person, beard, bearded, moustache, mustache, dad, father, husband, boyfriend, grandad, grandpa, grandfather, uncle, policeman, postman, mailman, workman, handyman, salesman, fireman, repairman',
    },
  ),
  group('woman, women, lady, ladies, female, gal, lass, housewife', {
    also: 'mum, mom, mother, granny, grandma, grandmother, wife, girlfriend, aunt, auntie, policewoman, postwoman, saleswoman',
  }),
  group('wife, girlfriend, missus, mum, mom, mother, mummy, mommy, mama, mam, aunt, auntie, sister', {
    also: 'woman, women, lady, female',
  }),
  group('husband, boyfriend, hubby, dad, father, daddy, papa, uncle, brother', {
    also: 'man, men, guy, gentleman, male',
  }),
  group('granny, grandma, grandmother, nan, nana, gran, grandmom, old lady, old woman, elderly lady, elderly woman', {
    also: 'woman, women, lady, female',
  }),
  group(
    'grandad, granddad, grandpa, grandfather, gramps, grandfathers, old man, old bloke, old gentleman, elderly man, elderly gentleman',
    { also: 'man, men, gentleman' },
  ),
  group('elderly, pensioner, oap, senior, seniors, pensioners, aged', {
    asks: 'old people, old person',
    also: 'granny, grandma, grandmother, grandad, grandpa, grandfather, white-haired, grey-haired, gray-haired',
  }),
  group('family, relatives, relative, families', { also: 'parents, mother, father, children' }),
  group('parent, parents, mum and dad, mom and dad', { also: 'mother, father, mum, mom, dad' }),
  group('teen, teenager, adolescent, teenage, youth, youths, teenagers, hoodlum', {
    asks: 'young people, young person',
    also: 'boy, girl, youngster, lad',
  }),
  group('baby, infant, newborn, babies, bub', { also: 'toddler, pram, stroller, buggy' }),
  group(
    `child, children, kid, boy, girl, toddler, youngster, kiddie, little one, kids, youngsters, schoolchild, schoolboy, schoolgirl, schoolkid, schoolchildren, tot, son, daughter, grandchild, grandson, granddaughter, grandchildren, grandkids, little ones, preschooler, nipper, bairn, young child, toddlers, boys, girls`,
    { also: 'teenager, teen, youth, baby, infant' },
  ),
  group('visitor, visit, guest, caller, calls at, company, visitors, guests, callers, visited, dropped by', {
    also: 'rings, stranger',
    asks: 'calls at the house, came over, come over, comes over, coming over, came round, come round, comes round, came to visit, came to the house, came to my house, come to the house, at the house, pop in, popped in, drops by, drop by, stopped by, stop by, turned up, showed up, shows up, show up, turn up, turns up',
  }),
  group('friend, friends, mate, buddy, pal', { also: 'visitor, guest' }),
  group(
    'stranger, intruder, burglar, prowler, thief, trespasser, suspicious, lurking, snooping, sneaking, unknown, robber, prowling, sketchy, creepy, weirdo, casing, unfamiliar, shady, trespassing, lurker, stalker, break in, thieves, burglars, burglary, intruders, suspect, criminal, crook, sneak, sneaky, sneaks, snuck, lurk, lurks, vandal, vandals, vandalism, masked, culprit, dodgy, unrecognised, unrecognized, unidentified, burgled, robbery, robbed, housebreaker, scammer, skulking',
    {
      also: 'visitor, unfamiliar, looks around and leaves',
      asks: 'suspicious looking, dodgy looking, shady looking, odd looking, strange looking, weird looking, porch pirate, porch pirates, breaking in, break into, breaking into, broke in, broke into, up to no good, strange man, strange woman, strange person, strange people, strange guy, peeping tom, bad guy, bad guys, someone i don t know, acting weird, acting strange, acting strangely, not supposed to be, shouldn t be there, should not be there, casing the joint, casing the house, scoping out, tried to get in, trying to get in, try to get in',
    },
  ),
  group('neighbour, neighbor, neighbours, neighbors, neighbourhood, neighborhood', {
    asks: 'next door, person next door, man next door, woman next door, lady next door, guy next door',
  }),
  group(
    'courier, postman, mailman, postwoman, mail carrier, delivery, deliver, delivered, postie, deliveryman, amazon, fedex, dhl, hermes, evri, yodel, dpd, usps, doordash, deliveroo, instacart, ocado, grubhub, deliveries, delivering, delivers, mailwoman, postal, drop off, dropped off, drops off, couriers, messenger',
    {
      asks: 'post, mail, ups, ups driver, ups guy, ups man, ups truck, ups van, dropping off, drop offs, parcel force, just eat, uber eats, post lady, post man, mail man, mail lady, mail person, royal mail, postal worker, letter carrier, parcel man, parcel guy, package guy, takeaway, takeout, take away, pizza guy, pizza man, food order, dropped my parcel, dropped the parcel, milkman, paperboy, paper boy, paper round',
    },
  ),
  group('driver, motorist, chauffeur, drivers, motorists'),
  group('jogger, runner, jogging, jog, jogs, jogged, joggers, runners', {
    also: 'runs along, runs past',
    asks: 'out for a run, going for a run, goes for a run, went for a run, on a run, morning run, a run',
  }),
  group('handyman, workman, worker, builder, mechanic, carpenter, repairman, workmen, builders, workers, joiner', {
    also: 'hammers, works, tradesman, labourer, laborer',
    asks: 'work men, handy man',
  }),
  group(
    'tradesman, tradesperson, contractor, plumber, electrician, roofer, decorator, plasterer, labourer, laborer, contractors, technician, engineer, plumbing, bricklayer, construction, roofers, installer, serviceman, tradie, tradesmen',
    {
      also: 'workman, workmen, handyman, builder, builders, repairman',
      asks: 'gas man, meter reader, meter man, cable guy',
    },
  ),
  group('window cleaner, window washer, window cleaners', { also: 'squeegee', asks: 'cleans the windows' }),
  group('cleaner, cleaning lady, maid, housekeeper, housekeeping, cleaners'),
  group('nurse, carer, caregiver, caretaker, nurses, carers, doctor, midwife, medic'),
  group('babysitter, nanny, nannies, childminder, au pair, sitter, dog sitter, pet sitter, cat sitter, dog walker'),
  group('landscaper, lawn guy, lawn care, yard guy, landscapers, landscaping', {
    also: 'waters, vegetable, mowing',
  }),
  group('police, policeman, policewoman, cop, officer, cops, constable, sheriff, trooper, policemen, bobby', {
    also: 'patrol',
    asks: 'the law, police car, squad car, cop car',
  }),
  group('fireman, firefighter, firemen, firefighters, firewoman, fire brigade, fire department, fire crew'),
  group('paramedic, paramedics, ambulance, ambulances, emt, first responder, first responders', {
    asks: 'emergency services',
  }),
  group('salesman, saleswoman, salesperson, solicitor, canvasser, jehovah, missionary, missionaries, cold caller', {
    also: 'clipboard, leaflet, flyer',
    asks: 'door to door, jehovahs witness, jehovah s witness, jehovah s witnesses, charity collector, selling something, selling stuff, sales person, sales rep, sales guy, girl scouts',
  }),
  group('carol singer, caroller, caroler, carollers, carolers, carolling, caroling, carol singers'),
  group('guard, bouncer, patrol, patrolling', { asks: 'security guard, security guards, security man' }),
  group('homeless, tramp, vagrant, beggar, rough sleeper'),
  group('couple, pair, pairs, couples, duo, twins', { also: 'two people, two men, two women' }),
  group('group, crowd, gang, bunch, groups, gathering, crowds, mob', {
    also: 'three people, four people, several people',
  }),
  group('face, faces, facial', { tags: ['12'] }),
]
