export { logoFile } from '../boot/page/brand-style.ts'
