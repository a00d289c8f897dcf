import { BRAND_COLOURS } from '../../../contract/brand.ts'

/** What layouts and pages show of the brand. */
export {
  BRAND_COLOURS,
  BRAND_NAME,
  logoFile,
  LOGO_SIZE,
  logoGlow,
  logoShape,
  SUPPORT_ADDRESS,
} from '../../../contract/brand.ts'

/** The brand's colours as the custom properties that styles/tokens.css is made of. */
export function brandStyle(colours: typeof BRAND_COLOURS = BRAND_COLOURS): string {
  const lines = Object.entries(colours).flatMap(([theme, named]) =>
    Object.entries(named).map(([name, colour]) => `--${theme}-${name}:${colour}`),
  )
  return `:root{${lines.join(';')}}`
}
