import { cameraAddressAttacks } from './addresses.ts'
import type { AttackClass } from './attempts.ts'
import { largeBodyAttacks } from './bodies.ts'
import { crossSiteAttacks } from './cross-site.ts'
import { damagedFileAttacks } from './damage.ts'
import { sealedMessageAttacks } from './sealed-message-attacks.ts'
import { headerAttacks } from './headers.ts'
import { foreignIdAttacks } from './ids.ts'
import { markupAttacks } from './markup.ts'
import { mediaAttacks } from './media.ts'
import { purchaseAttacks } from './purchases.ts'
import { redirectAttacks } from './redirects.ts'
import { secondFactorAttacks } from './second-factor.ts'
import { sessionAttacks } from './sessions.ts'
import { telemetryAttacks } from './sinks.ts'

export const ATTACK_CLASSES: readonly AttackClass[] = [
  sessionAttacks,
  secondFactorAttacks,
  crossSiteAttacks,
  headerAttacks,
  largeBodyAttacks,
  redirectAttacks,
  foreignIdAttacks,
  mediaAttacks,
  telemetryAttacks,
  cameraAddressAttacks,
  sealedMessageAttacks,
  purchaseAttacks,
  markupAttacks,
  damagedFileAttacks,
]
