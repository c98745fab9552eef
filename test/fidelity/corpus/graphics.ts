// SVG in the page: shapes, filters and animations.
import { page } from '../page.ts';

export const graphics = [
  page(
    'SVG shapes and paints',
    '',
    `<svg width="480" height="270" viewBox="0 0 480 270"><defs><linearGradient id="l"><stop stop-color="#f06"/><stop offset="1" stop-color="#06f"/></linearGradient><radialGradient id="r"><stop stop-color="#fff"/><stop offset="1" stop-color="#083"/></radialGradient><pattern id="p" width="16" height="16" patternUnits="userSpaceOnUse" patternTransform="rotate(30)"><rect width="8" height="16" fill="#fc0"/></pattern><marker id="m" markerWidth="8" markerHeight="8" refX="4" refY="4" orient="auto"><path d="M0 0 L8 4 L0 8 z"/></marker><symbol id="s" viewBox="0 0 10 10"><circle cx="5" cy="5" r="4" fill="currentColor"/></symbol></defs>
    <rect x="10" y="10" width="120" height="80" rx="18" fill="url(#l)"/><circle cx="200" cy="50" r="42" fill="url(#r)"/><rect x="260" y="10" width="90" height="80" fill="url(#p)" stroke="#222" stroke-width="3"/><polygon points="420,10 460,90 380,90" fill="none" stroke="#06c" stroke-width="8" stroke-linejoin="round"/>
    <path d="M20 200 C 100 100 200 260 300 160" fill="none" stroke="#c06" stroke-width="6" stroke-dasharray="14 8" stroke-linecap="round" marker-end="url(#m)"/><use href="#s" x="330" y="120" width="60" height="60" color="#0a7"/><text x="20" y="255" font-size="30" fill="url(#l)" stroke="#000" stroke-width=".5">SVG text</text><g opacity=".5" transform="rotate(20 420 200)"><rect x="380" y="150" width="80" height="80" fill="#333"/></g></svg>`,
  ),
  page(
    'SVG line drawing animation',
    '@keyframes draw { to { stroke-dashoffset: 0 } } path { fill: none; stroke-width: 8; stroke: #06c; stroke-dasharray: 1; stroke-dashoffset: 1; animation: draw .5s linear both } path + path { stroke: #c06; animation-delay: .1s; stroke-linecap: round }',
    '<svg width="480" height="270"><path pathLength="1" d="M20 220 Q 120 20 240 140 T 460 60"/><path pathLength="1" d="M40 40 h 380 v 180 h -380 z"/></svg>',
  ),
  page(
    'SVG filters',
    '',
    '<svg width="480" height="270"><defs><filter id="goo"><feGaussianBlur stdDeviation="8"/><feColorMatrix values="1 0 0 0 0 0 1 0 0 0 0 0 1 0 0 0 0 0 18 -7"/></filter><filter id="wob"><feTurbulence baseFrequency=".03" numOctaves="2" seed="2"/><feDisplacementMap in="SourceGraphic" scale="24"/></filter><filter id="lit"><feGaussianBlur in="SourceAlpha" stdDeviation="4"/><feSpecularLighting surfaceScale="5" specularExponent="20" lighting-color="#fff"><fePointLight x="380" y="40" z="90"/></feSpecularLighting><feComposite in2="SourceAlpha" operator="in"/><feComposite in="SourceGraphic" operator="arithmetic" k2="1" k3="1"/></filter></defs><g filter="url(#goo)" fill="#c06"><circle cx="70" cy="120" r="40"/><circle cx="130" cy="120" r="34"/></g><g filter="url(#wob)"><rect x="190" y="60" width="120" height="120" fill="#06c"/><text x="196" y="130" font-size="34" fill="#fff">Wobble</text></g><rect x="340" y="60" width="110" height="120" rx="20" fill="#0a7" filter="url(#lit)"/></svg>',
  ),
  page(
    'SVG animation elements',
    '',
    '<svg width="480" height="270"><circle cx="60" cy="60" r="30" fill="#c06"><animate attributeName="cx" from="60" to="420" dur=".5s" fill="freeze"/></circle><rect x="200" y="120" width="80" height="80" fill="#06c"><animateTransform attributeName="transform" type="rotate" from="0 240 160" to="180 240 160" dur=".5s" fill="freeze"/></rect><path d="M20 240 h 440" stroke="#333"/><circle r="10" fill="#fc0"><animateMotion dur=".5s" path="M20 240 h 440" fill="freeze"/></circle></svg>',
  ),
];
