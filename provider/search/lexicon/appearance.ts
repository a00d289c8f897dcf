import { group, looks, type SynonymGroup } from './synonym-group.ts'

/** Appearance of people: clothes, hair, colors. */
export const LOOKS: readonly SynonymGroup[] = [
  group(
    'dark top, hoodie, hoody, hooded, dark clothes, dark clothing, dark jacket, dark hoodie, dark coat, black jacket, black clothes, dark sweater, dark shirt, hood, hoodies, hoods, black top, black coat',
    { asks: 'black hoodie, hood up, dressed in black, dressed in dark, in all black, all in black, wearing black' },
  ),
  group('mask, balaclava, masks, ski mask, face mask, bandana, balaclavas', {
    asks: 'face covered, face covering, hiding his face, hiding their face, covering his face, hidden face',
  }),
  group('clothes, clothing, outfit, garment, attire, garb', { loose: true }),
  group(
    'coat, jacket, overcoat, anorak, raincoat, parka, mac, mackintosh, blazer, coats, jackets, cagoule, windbreaker, fleece, waterproof, trench coat, trenchcoat, gilet, bodywarmer, puffer',
    {
      also: 'top',
      asks: 'rain coat, puffer jacket, waterproofs, leather jacket',
      loose: true,
    },
  ),
  group('jumper, sweater, pullover, cardigan, sweatshirt, jersey, jumpers, knitwear, woolly', {
    also: 'top',
    loose: true,
  }),
  group('shirt, tshirt, t shirt, blouse, polo, vest, shirts, tank top', { also: 'top', loose: true }),
  group('trousers, jeans, slacks, chinos, sweatpants, denim', {
    asks: 'leggings, pants, jogging bottoms, track pants, tracksuit, track suit',
  }),
  group('shorts, bermudas'),
  group('skirt, dress, dresses, gown, skirts, sundress, frock'),
  group('suit, suits, tuxedo, waistcoat', { asks: 'in a suit, business suit' }),
  group('uniform, uniforms, overalls, overall, boilersuit, dungarees, hi vis vest', {
    asks: 'boiler suit',
    loose: true,
  }),
  group('pyjamas, pajamas, dressing gown, bathrobe, nightie, pjs, robe, nightgown'),
  group('swimsuit, bikini, swimwear', { asks: 'swimming trunks, trunks, swimming costume' }),
  group(
    'shoe, shoes, trainers, sneakers, boots, sandals, wellies, wellington, slippers, footwear, flip flops, wellingtons, crocs',
    {
      asks: 'heels, high heels, wellington boots, rain boots',
    },
  ),
  group('barefoot, bare feet, barefooted'),
  group('hat, cap, beanie, bobble hat, hats, woolly hat, caps, bonnet, fedora, sunhat, headgear', {
    asks: 'baseball cap, bobble hats, peaked cap, baseball hat, winter hat, wooly hat',
  }),
  group('scarf, scarves, shawl, snood, hijab, headscarf, burka'),
  group('glove, gloves, mittens, mitten'),
  group('apron, aprons'),
  group('naked, nude, topless, shirtless, bare chested, undressed, half naked, underwear, streaker'),
  group('beard, bearded, moustache, mustache, stubble, goatee, moustached', { asks: 'facial hair' }),
  group('bald, shaved head, balding, skinhead, bald headed'),
  group('brunette, brunettes', { also: 'dark hair, brown hair, dark-haired' }),
  group('ponytail, pigtails, plait, plaits, braids, hair tied'),
  group('hair, haired, hairstyle, haircut, longhair'),
  looks('ginger, redhead, redheaded, auburn, redhaired, gingers', {
    asks: 'red hair, red haired, red head, ginger hair, ginger haired, orange hair, orange fur',
  }),
  looks('blonde, blond, fair haired, fair hair, blondes', {
    also: 'golden hair',
    asks: 'blonde hair, blond hair, blonde haired',
  }),
  group('tattoo, tattoos, tattooed'),
  group('fat, overweight, chubby, plump, obese, heavyset, stocky'),
  group('pregnant, pregnancy'),
  looks('grey, gray, greyish, charcoal', {
    asks: 'dark grey, light grey, dark gray, light gray, pale grey, grey coloured',
  }),
  looks('gold, golden'),
  looks('orange', { also: 'ginger', asks: 'orange coloured' }),
  looks('lime, neon, neon yellow, lime green, fluorescent, hi vis, high vis, high visibility, fluoro, hiviz, yellow', {
    asks: 'hi viz, bright yellow, high viz',
  }),
  looks('silver, silvery, chrome'),
  looks('blue, navy, turquoise, azure, teal, navy blue, bluish', {
    asks: 'light blue, dark blue, pale blue, sky blue, bright blue, royal blue, baby blue',
  }),
  looks('red, crimson, scarlet, maroon, burgundy, reddish', { asks: 'dark red, bright red, light red' }),
  looks('green, khaki, emerald, greenish', { asks: 'dark green, light green, pale green, bright green' }),
  looks('white, whitish', { asks: 'bright white, off white' }),
  looks('black, jet black'),
  looks('brown, chestnut, chocolate brown, brownish', { also: 'tan', asks: 'light brown, dark brown' }),
  looks('beige, tan, cream'),
  looks('pink, rosy, magenta, fuchsia', { asks: 'light pink, pale pink, hot pink, bright pink' }),
  looks('purple, lilac, mauve, violet', { asks: 'dark purple, light purple' }),
  looks('striped, stripes, stripy, stripey'),
  looks('spotty, dotted, polka dot'),
]
