export { createLogoFile } from '../boot/page/brand-style.ts'
