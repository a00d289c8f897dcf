/** /privacy: the switch comes by itself, and the page is whole without it. */
import('./privacy-switch.ts').catch(console.debug)
