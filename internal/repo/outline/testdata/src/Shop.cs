using System;
namespace Shop.Core
{
    [Serializable]
    public sealed class Order : Base, IDisposable
    {
        private readonly string path = @"c:\{""";
        public int Id { get; set; } = 1;
        public string Name => $"{Id}";
        public Order(int id) : base(id) { }
        public async Task<int> SendAsync<T>(T x) where T : class
        {
            if (x == null) { return 1; }
            return 2;
        }
        protected abstract void Later(int a);
        public int Half(int x) => x / 2;
    }
    public interface IThing { void Do(string a); }
    public enum Color { Red, Green }
    public struct Point { public int X; }
    public delegate void Handler(object sender);
}
