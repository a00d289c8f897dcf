import { group, type SynonymGroup } from './synonym-group.ts'

export const OUTDOORS: readonly SynonymGroup[] = [
  group(
    'bin, rubbish, garbage, trash, refuse, bins, wheelie bin, dustbin, recycling, litter, dumpster, wheelie, trashcan, compost, dustbins, waste',
    {
      asks: 'trash can, trash cans, garbage can, garbage cans, trash bins, wheely bin, wheely bins, bin day, trash day, garbage day, recycle bin, recycling box, recycle, green bin, black bin, brown bin, blue bin, bin bag, the bins out, the trash out, the rubbish out',
    },
  ),
  group('binman, binmen, dustman, dustmen, bin lorry, dustcart, refuse collector, refuse collectors', {
    also: 'bins',
    asks: 'bin man, bin men, bin lorry, bin wagon, dustbin lorry, dustbin men, garbage truck, trash truck, garbage man, garbage men, trash man, trash collector, garbage collector, trash pickup, garbage pickup, trash pick up, garbage pick up, garbage collection, bin collection, rubbish collection, trash collection, recycling truck, recycling lorry, refuse truck, refuse lorry, the bins collected, the bins emptied, emptied the bins, empty the bins, sanitation worker, sanitation workers',
  }),
  group('pavement, sidewalk, footpath, walkway, pavements, sidewalks, footway'),
  group('path, pathway, paths, stepping stones', { asks: 'garden path' }),
  group('kerb, curb, curbside, kerbside'),
  group('road, roadway, tarmac, asphalt, carriageway, lane'),
  group('fence, fences, fencing, fence panel, picket fence, railing, railings, trellis'),
  group('hedge, hedges, bush, bushes, shrub, shrubs, shrubbery, hedgerow'),
  group('gate, gates, gateway, gatepost'),
  group('kennel, doghouse, dog house, kennels, hutch, rabbit hutch'),
  group('tree, trees, branch, branches, oak, pine, conifer'),
  group('leaf, fallen leaves, autumn leaves, dead leaves, dry leaves', {
    asks: 'sweeping leaves, blowing leaves, leaves blowing, leaves falling, falling leaves',
  }),
  group('blossom, blossoms, blossoming, bloom, blooming, cherry blossom, in bloom'),
  group('flower, flowers, tulip, tulips, daffodil, daffodils, sunflower', { also: 'blossom, flower bed, flowerbed' }),
  group('plant, plants, houseplant, pot plant, plant pot, flowerpot, flowerpots, greenery', {
    also: 'vegetable, flower, blossom, beds',
  }),
  group(
    'vegetable, vegetables, veg, veggies, vegetable bed, vegetable patch, veg patch, veggie patch, allotment, carrot, carrots, tomato, tomatoes, lettuce, cabbage, potatoes, leek, leeks, veggie',
  ),
  group(
    'flower bed, flowerbed, raised bed, raised beds, garden bed, garden beds, flowerbeds, flower beds, planter, planters, beds',
  ),
  group('grass, turf, grassy', { also: 'lawn' }),
  group('mower, lawnmower, mowing, mow, mows, mowed, lawn mower, strimmer, strimming, lawnmowers, mown, weed whacker', {
    asks: 'cutting the grass, cut the grass, cuts the grass, mowing the lawn, mowing the grass, mow the lawn, cutting the lawn, cut the lawn, grass cutting, lawn mowing, ride on mower, weed eater, mow the grass, string trimmer',
  }),
  group('blower, leaf blower, leafblower, leaf blowers', { asks: 'blowing leaves, blowing the leaves, leaf blowing' }),
  group('rake, rakes, raking, raked', { asks: 'raking leaves, raking the leaves' }),
  group(
    'shovel, spade, shovelling, shoveling, shovels, shovelled, snow shovel, trowel, pitchfork, garden fork, snowplow, snowplough',
    {
      asks: 'clearing snow, clearing the snow, snow clearing, shovelling snow, shoveling snow, shoveling the driveway',
    },
  ),
  group('hosepipe, hose, sprinkler, sprinklers, hoses, garden hose, hose pipe'),
  group('pond, fountain, birdbath, bird bath, water feature'),
  group('feeder, bird feeder, birdfeeder, bird table, bird feeders, birdhouse, bird box', { asks: 'nest box' }),
  group('nest, nests, nesting'),
  group('greenhouse, conservatory, polytunnel, glasshouse, summerhouse, summer house'),
  group('hut, outbuilding, playhouse, wendy house, tree house, treehouse'),
  group('trampoline, trampolines, trampolining', { asks: 'bouncy castle' }),
  group('seesaw, climbing frame, sandpit, sandbox', {
    asks: 'swing, swings, swinging, slide, swing set, jungle gym, play set',
  }),
  group('paddling pool, hot tub, jacuzzi, hottub, kiddie pool, wading pool'),
  group('swim, swimming, swam, swimmer, paddling, swims', {
    asks: 'in the pool, in the swimming pool, in the water, jumping in the pool, jumped in the pool, fell in the pool, having a swim',
  }),
  group('barbecue, bbq, barbeque, grill, grilling, barbecuing, cookout, barbecues, braai', { asks: 'barbie' }),
  group('tent, tents, gazebo, marquee, awning, camping, pergola, canopy'),
  group('hammock, sunlounger, sunbathing, lounger, sunbathe, sunbed, sun lounger, sunbathes', {
    asks: 'deck chair, garden chair',
  }),
  group('picnic, picnics'),
  group('manhole, drain, drains, pothole'),
  group('roadworks, traffic cone, cone, cones, barrier, barriers', { asks: 'road works' }),
  group('sign, signs, signpost, for sale sign, road sign, placard'),
  group('mud, muddy, dirt, dirty, soil, filthy'),
  group('footprint, footprints, pawprints, paw prints'),
  group('snow, snowy, snowfall, snowing, snowed, snows, snowstorm, blizzard, sleet, snowflakes, snowflake, snowbound', {
    also: 'snowman',
  }),
  group('snowman, snowmen, snow man, snowball, snowballs', { asks: 'snowball fight, snowballing' }),
  group('ice, icy, frost, frosty, icicle, black ice, icicles, frozen, freezing, frosted'),
  group('rain, raining, rained, rainy, rains, drizzle, downpour, drizzling, rainfall, raindrops', {
    asks: 'pouring, raining cats and dogs, heavy rain, chucking it down, pouring rain, pouring down, rain storm, rainstorm, wet weather',
  }),
  group('wind, windy, gale, gust, breeze, gusty, gusts, breezy, blustery, winds'),
  group('storm, stormy, thunder, lightning, thunderstorm, storms, hurricane, tornado, thunderstorms, thundery', {
    asks: 'lightning strike, bad weather',
  }),
  group('hail, hailstones, hailing, hailstorm, hailstone'),
  group('fog, foggy, mist, misty, haze, hazy'),
  group('flood, flooding, flooded, floods'),
  group('leak, leaking, leaks, leaked', { asks: 'burst pipe, water leak' }),
  group('rainbow, rainbows'),
  group('sky, cloud, clouds, cloudy, overcast'),
  group('sun, sunlight, sunshine, sunrays'),
  group('moon, moonlight, moonlit, moonlights, full moon'),
  group('star, stars, meteor, shooting star, starry, comet'),
  group('weather', { also: 'snow, rain, wind, storm, fog, hail, sun, cloud, frost' }),
  group(
    'fire, flame, flames, blaze, burning, bonfire, on fire, ablaze, burn, burns, burnt, burned, campfire, inferno, fires, alight, firepit, fire pit',
    {
      asks: 'caught fire, catches fire, house fire',
    },
  ),
  group('smoke, smoky, fumes, smoking chimney', { also: 'flames, bonfire' }),
  group('steam, steaming'),
  group('shadow, shadows'),
  group('reflection, reflections'),
]
