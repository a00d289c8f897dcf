import type { AttackClass } from './attempts.ts'
import { bodies } from './bodies.ts'
import { crossSite } from './cross-site.ts'
import { headers } from './headers.ts'
import { redirects } from './redirects.ts'
import { secondFactor } from './second-factor.ts'
import { sessions } from './sessions.ts'

/** All classes, in the order in which they run. */
export const ATTACK_CLASSES: readonly AttackClass[] = [sessions, secondFactor, crossSite, headers, bodies, redirects]
