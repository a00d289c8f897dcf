import { group, type SynonymGroup } from './synonym-group.ts'

/** Things in a house: furniture, household items, and the outer parts of the house. */
export const HOUSEHOLD: readonly SynonymGroup[] = [
  group('spectacles, glasses, eyeglasses, sunglasses, specs, goggles', { asks: 'shades' }),
  group('glass, tumbler, drinking glass, wineglass, goblet, wine glass'),
  group(
    'mug, cup, coffee, tea, hot drink, cuppa, coffee mug, coffee cup, beverage, mugs, cups, teacup, brew, latte, cups of tea, cocoa, hot chocolate',
  ),
  group('bowl, bowls, food bowl, water bowl, feeding bowl', { asks: 'dog bowl, cat bowl, dogs bowl, cats bowl' }),
  group('plate, plates, saucer'),
  group('pan, saucepan, frying pan, kettle, pots and pans'),
  group('sofa, couch, settee, sofas, loveseat, futon, couches, divan', { asks: 'chesterfield' }),
  group('armchair, armchairs, recliner, easy chair, rocking chair'),
  group('chair, chairs, stool, seat, stools, deckchair, high chair', { also: 'armchair, recliner, bench' }),
  group('cushion, cushions, pillow, pillows, throw pillow'),
  group('blanket, blankets, duvet, quilt', { asks: 'bedding' }),
  group('window sill, windowsill, sill, window, window ledge, windowsills, ledge, windows, window sills, windowpane', {
    asks: 'looking out the window, out of the window',
  }),
  group('curtain, curtains, blind, blinds, drape, drapes, shutters'),
  group(
    'hoover, vacuum, vacuum cleaner, roomba, robot, robot vacuum, robot hoover, robovac, robot cleaner, cleaning robot, hoovering, vacuuming, hoovered, vacuumed, hoovers, vacuums, dyson, henry hoover, robots, robotic, robot vac',
  ),
  group('mop, mops, mopping, mopped'),
  group('broom, dustpan, brooms', { asks: 'brush, brushes' }),
  group('laundry, clothesline, washing line, clothes line, clotheshorse', {
    asks: 'hanging the washing, hanging out the washing, hang out the washing, hanging out washing, airer, clothes horse, ironing',
  }),
  group('washing machine, dishwasher, tumble dryer, washer, dryer'),
  group('dishes, washing up, sink, faucet'),
  group('fridge, refrigerator, freezer, icebox'),
  group('oven, cooker, stove, hob, microwave', { asks: 'the cooker' }),
  group('television, tv, telly, tele, televisions', {
    asks: 'screen, watching telly, watching tv, watching television, watch telly, watch tv, watch television, watching a film, watching a movie, watching the match',
  }),
  group('piano, guitar, drum, drums, trumpet, violin, keyboard', { asks: 'musical instrument' }),
  group('workbench, bench, work bench, work table, worktop, workbenches, benches, workshop bench', {
    asks: 'work surface',
  }),
  group('table, tables, coffee table, side table, dining table, tabletop'),
  group('desk, desks'),
  group('counter, countertop, worktops, kitchen counter, work surfaces'),
  group('cupboard, cabinet, wardrobe, closet, drawer, drawers, cupboards, dresser, sideboard'),
  group('book, books, novel, paperback, hardback'),
  group(
    'bookshelf, bookcase, shelf, shelves, bookshelves, shelving, book shelf, book case, bookcases, bookstand, book shelves',
  ),
  group('mirror, mirrors'),
  group('clock, clocks, alarm clock, wristwatch'),
  group('candle, candles, candlelight'),
  group('fireplace, hearth, wood burner, log burner, radiator, heater, mantelpiece'),
  group('rug, carpet, rugs, carpets'),
  group('mat, doormat, door mat, welcome mat, mats'),
  group('floor, ground, floorboards, flooring'),
  group('wall, walls'),
  group('ceiling, ceilings'),
  group('bed, cot, crib, bunk, mattress, pet bed', {
    asks: 'dog bed, cat bed, dogs bed, cats bed, dog basket, cat basket, in bed, on the bed',
  }),
  group('bath, bathtub, shower, bathing'),
  group('toilet, loo, lavatory, potty'),
  group('stairs, steps, staircase, stairway, stairwell, step, banister, stair'),
  group('garage door, roller door, shutter, garage doors, roller shutter, overhead door', {
    also: 'the door goes up, door rolls up',
    asks: 'up and over door',
  }),
  group('door, doors, doorway, doorways', {
    also: 'doorstep, doormat, doorbell',
    asks: 'the front of my door, screen door, patio door, patio doors, sliding door, back door, side door, french doors',
  }),
  group('cat flap, catflap, cat door, dog flap, dog door, pet door'),
  group('handle, doorknob, knob, door handle, door handles', {
    asks: 'tries the door, trying the door, tried the door, trying the door handle, trying door handles, tried the door handle, trying car doors, trying car door handles',
  }),
  group('lock, locks, locked, locking, padlock, unlock, unlocks, unlocked, unlocking, deadbolt', {
    asks: 'locked out',
  }),
  group('roof, roofs, rooftop, tiles, roofing, skylight'),
  group('gutter, gutters, guttering, drainpipe, downpipe, downspout'),
  group('chimney, chimneys, aerial, satellite dish'),
  group('solar, solar panel, solar panels'),
  group('meter, boiler, gas meter, electric meter'),
  group('house, home, bungalow, cottage, houses, homes, property, premises, residence', {
    asks: 'building, buildings',
  }),
  group('lamp, lamps, lantern, lanterns, light bulb, floodlight, lightbulb, spotlight, floodlights, fairy lights', {
    also: 'torch, flashlight, lit, glowing, moonlight, street light, streetlight',
    asks: 'light, lights, a light, porch light, outside light, outdoor light, security light, sensor light, light on, lights on, light off, lights off, lights out, light came on, lights came on, light goes on, light comes on, light left on, lights left on',
  }),
  group(
    'street lamp, street light, streetlight, lamppost, lamp post, streetlights, street lamps, street lights, lampposts',
  ),
  group(
    'halloween, trick or treat, trick or treating, trick or treaters, pumpkin, costume, pumpkins, costumes, jack o lantern, jack o lanterns, dressed up, guisers, guising, fancy dress, ghost, witch, skeleton',
    { also: 'lantern, lanterns' },
  ),
  group('christmas, xmas, santa, christmas tree, christmas lights, father christmas, nativity, tinsel, bauble', {
    asks: 'santa claus, christmas decorations, xmas tree, xmas lights, christmas eve, christmas day',
  }),
  group('firework, fireworks, firecracker, rocket, sparkler, bonfire night, sparklers, firecrackers'),
]
