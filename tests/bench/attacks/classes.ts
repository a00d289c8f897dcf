import { addresses } from './addresses.ts'
import type { AttackClass } from './attempts.ts'
import { bodies } from './bodies.ts'
import { crossSite } from './cross-site.ts'
import { damage } from './damage.ts'
import { doors } from './doors.ts'
import { headers } from './headers.ts'
import { ids } from './ids.ts'
import { markup } from './markup.ts'
import { media } from './media.ts'
import { purchases } from './purchases.ts'
import { redirects } from './redirects.ts'
import { secondFactor } from './second-factor.ts'
import { sessions } from './sessions.ts'
import { sinks } from './sinks.ts'

export const ATTACK_CLASSES: readonly AttackClass[] = [
  ...[
    sessions,
    secondFactor,
    crossSite,
    headers,
    bodies,
    redirects,
    ids,
    media,
    sinks,
    addresses,
    doors,
    purchases,
    markup,
    damage,
  ],
]
