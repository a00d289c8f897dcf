import { group, type SynonymGroup } from './synonym-group.ts'

export const SOUNDS: readonly SynonymGroup[] = [
  group(
    'barking, bark, woof, yapping, barks, woofing, growl, growling, howl, howling, yap, yelp, yelping, barked, snarl, snarling, whine, whining, whimper, whimpering, howls, growls, baying',
    { tags: ['800002'], asks: 'kicking off, going mad, going nuts, going off, going ballistic' },
  ),
  group(
    'meowing, meow, miaow, mew, mewing, meows, miaowing, caterwauling, miaows, meowed, purr, purring, yowl, yowling, hissing, hiss',
    {
      tags: ['800001'],
    },
  ),
  group('crying, cry, sobbing, wailing, weeping, cries, cried, sob, weep, weeps, wept, in tears, bawling, whinge', {
    tags: ['800003'],
  }),
  group(
    'talking, talk, speak, speaking, voice, chat, conversation, spoke, chatting, voices, talks, chatter, talked, chatted, speaks, gossip, gossiping, converse, discuss, discussing, speech, whisper, whispering, chats, natter, nattering, spoken',
    { tags: ['800005'], asks: 'having a chat, say something, saying something, said something' },
  ),
  group(
    'shout, shouting, shouts, yell, yelling, yells, scream, screaming, screams, screamed, shouted, yelled, shriek, shrieking',
    {
      asks: 'raised voices',
    },
  ),
  group('laugh, laughing, laughs, laughed, giggle, giggling, laughter'),
  group('sing, singing, sang, sings, song, songs, choir', { also: 'carol' }),
  group('music, dance, dancing, dances, danced, disco', { also: 'guitar, piano' }),
  group('party, parties, celebration, celebrate, celebrating, birthday, wedding'),
  group('gunshot, gun shot, gunfire, gunshots, gun shots', {
    tags: ['800006'],
    asks: 'shots, shooting, shots fired, gun',
  }),
  group(
    'glass breaking, breaking glass, broken glass, smashed glass, glass breaks, shattered glass, glass shattering, glass smashing, glass shatters',
    {
      tags: ['800007'],
      asks: 'broken window, smashed window, window smashed, breaking window, window breaking, window broken, broke the window, broke a window, smashed the window, glass broken, glass smashed, broke the glass, broke a glass, breaking a window, smashing glass, shattering glass, glass broke, smashing a window, breaking a glass',
    },
  ),
  group(
    'alarm, siren, smoke detector, smoke alarm, sirens, alarms, fire alarm, burglar alarm, beeping, beep, carbon monoxide',
    {
      tags: ['100285'],
      asks: 'car alarm',
    },
  ),
  group('sound, noise, heard, hear, audio, noises, sounds, hears, hearing, noisy, racket, commotion', { tags: ['5'] }),
  group('motion, movement', { tags: ['4'], asks: 'moving, move, moves, moved, movements, motions' }),
  group('drunk, drunken, tipsy, intoxicated, stagger, staggering, staggers, drunks'),
  group('honk, honking, horn, honked, toot, tooting, honks'),
  group('explosion, explode, explodes, exploded, blast, boom'),
  group('sneeze, sneezing, cough, coughing, sneezes, coughs'),
  group('whistle, whistling, whistles, whistled'),
]
