import { splitSynonyms } from './synonym-group.ts'

/** Words that say nothing about the content of a clip. */
export const FILLER: ReadonlySet<string> = new Set(
  `lol pls plz omg btw hi bright vivid pale a an the and of in on at by with to from for is are was were be been being am do does did done has have
    had having it its this that these those there here me my mine our ours we us i you your yours he him his himself she her hers herself they them
    their themselves itself whom whose what when where which why how s t d m re ve ll o show find search see get give got gets go goes went going
    gone come comes came coming any all some every each other another anything something everything happen happens happened happening please can
    could would will should may might must as if then than so just only also too very really quite much many more most clip clips video videos
    footage recording recordings recorded camera cameras cam event events moment moments time times ever last recent recently latest newest first ago
    during while after before until till since between up down out off into onto over under about around round along past through across near next
    close beside against toward towards away back again still already now later soon yet one ones own same such like make makes made making use uses
    using used try tries trying want wants put let lets thing things stuff area spot place kind type sort lot lots bit piece new old big small little
    large nice good bad hey ok doing getting start starts started begin begins both either someones per via plus etc whenever wherever anyplace
    picture pictures image images view scene few cute funny scary pretty fast slow loud late early whole full empty lovely almost together alone
    quick busy local random certain but top middle nor else myself ourselves actually maybe perhaps probably even wear wears wearing wore worn
    dressed spotted caught captured capture record film filmed seen saw noticed notice appear appears appeared appearing detected detect detection
    triggered trigger tell tells told know knows known check wonder think seems seem seemed thanks thank able possible possibly often number amount
    total count because due though although however once twice always usually sometimes somewhere anywhere everywhere side centre center edge corner
    end bottom opposite within among amongst below above beneath underneath behind upon ahead apart aside huge giant tiny enormous medium several
    various different others adorable beautiful gorgeous sweet silly naughty annoying weird odd crazy mysterious strange bloody damn whoever whatever
    whichever yes yeah yep okay oh um well right sure hour hours minute minutes second seconds date way entire actual real attempt attempting
    attempted manage managed manages began begun keep keeps kept keeping continue continues need needs needed love wish remember forgot supposed
    become becomes became stay stays stayed staying remain remains called named alive instead coloured colored colour color sized shaped list listing
    display review playback exactly anymore unusual unexpected interesting exciting activity activities incident incidents currently presently
    normally anytime sometime hence ain couldn wouldn shouldn hasn haven hadn won gonna wanna lemme gimme im ive theres whats wheres whos dont didnt
    doesnt isnt cant couldve kindly third previous earlier latter rather quickly slowly suddenly loudly quietly happily properly accidentally
    constantly repeatedly regularly nearby further far themself oneself`.split(/\s+/),
)

/** Phrases without meaning for the search, although one of their words has a meaning elsewhere. */
export const FILLER_PHRASES: ReadonlySet<string> = new Set(
  splitSynonyms(
    `any sign of, any signs of, sign of, signs of, in front of, in the front of, looking for, look for, looks like, look like, looked like,
    looking like, looks as if, take a look at, have a look at, let me look at, left hand side, on the left, to the left, on the right,
    to the right, bring up the clip, pull up the clip, pull up clips, pull up the footage, bring up the footage, play me, play back, play the clip,
    play the video, watch the clip, watch the video, take place, takes place, took place, taking place, was taken, i was asleep,
    we were asleep, i was sleeping, we were sleeping, i was in bed, we were in bed, i was at work, we were at work, i am at work, i left,
    we left, i went out, we went out, i got home, we got home, i was out, in the picture, in the dark of, by the way, at work today, run through, go through the clips`,
  ),
)

/** Words that ask for people if the query names no other thing: `did someone ring` asks for ringing. */
export const WHO: ReadonlySet<string> = new Set([
  'who',
  ...['did', 'has', 'have', 'is', 'was', 'does', 'do', 'were'].flatMap((verb) =>
    ['someone', 'somebody', 'anyone', 'anybody'].map((whoever) => `${verb} ${whoever}`),
  ),
])

export const NEGATIONS: ReadonlySet<string> = new Set(
  'not no without except excluding never none nor minus isn aren wasn weren don doesn didn'.split(' '),
)
/** Words that exclude people. */
export const NOBODY_PHRASES: ReadonlySet<string> = new Set(['nobody', 'no one', 'noone', 'unattended'])

/** Number words and digits, from two on. `several` and similar words match any number from three on. */
export const NUMBERS: readonly (readonly string[])[] = [
  ['two', '2'],
  ['three', '3'],
  ['four', '4'],
  ['five', '5'],
  ['six', '6'],
]
