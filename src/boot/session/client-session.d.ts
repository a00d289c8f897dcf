import 'astro'

declare module 'astro' {
  interface AstroClientDirectives {
    'client:session'?: boolean | 'pictures'
  }
}
