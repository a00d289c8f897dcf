import { BRAND_COLORS } from '../../../contract/brand.ts'

export {
  BRAND_COLORS,
  BRAND_NAME,
  createLogoFile,
  LOGO_SIZE,
  createLogoGlow,
  createLogoShape,
  SUPPORT_ADDRESS,
} from '../../../contract/brand.ts'

/** Returns the brand's colors as the custom properties that styles/tokens.css uses. */
export function brandStyle(colors: typeof BRAND_COLORS = BRAND_COLORS): string {
  const lines = Object.entries(colors).flatMap(([theme, named]) =>
    Object.entries(named).map(([name, color]) => `--${theme}-${name}:${color}`),
  )
  return `:root{${lines.join(';')}}`
}
