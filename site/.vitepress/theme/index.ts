/** The default theme of the site's generator with a wider column for code, and pictures that fit a dark page. */
import theme from 'vitepress/theme';
import './style.css';

export default theme;
